/**
 * The kit for providers: `providerContract("imap", source)` registers one test for each rule.
 *
 * It compares what a store would contain after the steps of a provider, in whichever way they arrived.
 */
import { assert, describe, it } from "@effect/vitest"
import { MAX_EXTERNAL_ID } from "@tributary/core/model/Ingest"
import type { Provider, SyncFailure, SyncStep } from "@tributary/core/ports/Provider"
import { Effect, Fiber, type Scope, Stream } from "effect"

/** A source that a test may change, and its provider's way to it. Made again for every rule. */
export interface ProviderSource {
  readonly provider: Provider
  readonly config: unknown
  readonly resource: string
  /** Adds at least one document, changes at least one and takes at least one away; ten or more stay. */
  readonly change: Effect.Effect<{
    /** External ids of what was added and changed. */
    readonly upserted: ReadonlyArray<string>
    readonly gone: ReadonlyArray<string>
  }>
  /** From now on the source fails in the middle of its listing. Absent if it cannot. */
  readonly breakOff?: Effect.Effect<void>
  /** Fills it with 1,200 documents or more. */
  readonly fill: Effect.Effect<void>
}

/**
 * The maximum number of items between two checkpoints, because a crash pulls them again; and of ids in a step, because
 * nobody may hold all of them.
 */
const MAX_ITEMS = 1_000

/** Cutting at every checkpoint would take long where there are many. */
const CUTS = 12

type Held = ReadonlyMap<string, string>

const spelled = (step: Extract<SyncStep, { readonly _tag: "Upsert" }>): string =>
  JSON.stringify(step.item, (_, value: unknown) => value instanceof Uint8Array ? [...value] : value)

/** The content of a store after these steps. */
const applied = (before: Held, steps: ReadonlyArray<SyncStep>): Held => {
  const held = new Map(before)
  const listed = new Set<string>()
  for (const step of steps) {
    if (step._tag === "Upsert") held.set(step.item.external_id, spelled(step))
    if (step._tag === "Delete") held.delete(step.external_id)
    if (step._tag === "Listed") { for (const externalId of step.external_ids) listed.add(externalId) }
    if (step._tag === "Complete") {
      const { unlisted = [] } = step
      for (const externalId of held.keys()) {
        if (!listed.has(externalId) && !unlisted.some((beginning) => externalId.startsWith(beginning))) {
          held.delete(externalId)
        }
      }
    }
  }
  return held
}

const plain = (held: Held) => Object.fromEntries([...held].sort(([a], [b]) => a < b ? -1 : 1))

const streamed = ({ config, provider, resource }: ProviderSource, cursor: string | null = null) =>
  provider.sync({ config, resource, cursor, since: null })

const synced = (source: ProviderSource, cursor: string | null = null) => Stream.runCollect(streamed(source, cursor))

const cursorsOf = (steps: ReadonlyArray<SyncStep>) =>
  steps.flatMap((step, at) => step._tag === "Checkpoint" ? [{ at, cursor: step.cursor }] : [])

const lastCursor = (steps: ReadonlyArray<SyncStep>): string => {
  const last = cursorsOf(steps).at(-1)
  assert.isDefined(last, "a sync that comes to its end leaves a checkpoint")
  return last!.cursor
}

const idsOf = (steps: ReadonlyArray<SyncStep>): ReadonlyArray<string> =>
  steps.flatMap((step) =>
    step._tag === "Upsert"
      ? [step.item.external_id]
      : step._tag === "Listed"
      ? step.external_ids
      : step._tag === "Delete"
      ? [step.external_id]
      : []
  )

interface Rule {
  readonly rule: string
  /** Dies where it is broken. */
  readonly check: (source: ProviderSource) => Effect.Effect<void, SyncFailure>
}

/** Each on a separate source. */
export const providerRules: ReadonlyArray<Rule> = [
  {
    rule: "names its resources, this one among them, and those that every connection has",
    check: Effect.fnUntraced(function*({ config, provider, resource }) {
      assert.includeMembers([...yield* provider.resources(config)], [resource, ...provider.commonResources ?? []])
    })
  },
  {
    rule: "begins every external id with the resource and a slash",
    check: Effect.fnUntraced(function*(source) {
      const ids = idsOf(yield* synced(source))
      assert.isNotEmpty(ids)
      for (const id of ids) {
        assert.isTrue(
          id.startsWith(`${source.resource}/`) && id.length <= MAX_EXTERNAL_ID,
          `an external id of ${id.length} characters`
        )
      }
    })
  },
  {
    rule: "emits everything before its last checkpoint, and counts its windows up to the end",
    check: Effect.fnUntraced(function*(source) {
      const steps = yield* synced(source)
      const last = steps.findLastIndex(({ _tag }) => _tag === "Checkpoint")
      assert.isFalse(steps.slice(last + 1).some(({ _tag }) => _tag === "Upsert" || _tag === "Delete"))
      let before = 0
      for (const step of steps) {
        if (step._tag !== "Checkpoint") continue
        assert.isTrue(step.done >= before && step.done <= step.total, `${step.done} of ${step.total}`)
        before = step.done
      }
    })
  },
  {
    rule: "is resumable at every checkpoint",
    check: Effect.fnUntraced(function*(source) {
      const whole = yield* synced(source)
      const expected = plain(applied(new Map(), whole))
      const cursors = cursorsOf(whole)
      const step = Math.max(1, Math.ceil(cursors.length / CUTS))
      for (const { at, cursor } of cursors.filter((_, index) => index % step === 0)) {
        const rest = yield* synced(source, cursor)
        const held = applied(applied(new Map(), whole.slice(0, at)), rest)
        assert.deepStrictEqual(plain(held), expected, `resumed at step ${at}`)
      }
    })
  },
  {
    rule: "emits what changed after an interruption, including items it emitted before",
    check: Effect.fnUntraced(function*(source) {
      yield* source.fill
      const whole = yield* synced(source)
      const cursors = cursorsOf(whole)
      const { at, cursor } = cursors.at(-2) ?? cursors[0]!
      yield* source.change
      const rest = yield* synced(source, cursor)
      const next = yield* synced(source, lastCursor(rest))
      const held = applied(applied(applied(new Map(), whole.slice(0, at)), rest), next)
      assert.deepStrictEqual(plain(held), plain(applied(new Map(), yield* synced(source))))
    })
  },
  {
    rule: "is idempotent: a repeated sync emits the same",
    check: Effect.fnUntraced(function*(source) {
      const first = yield* synced(source)
      const held = applied(new Map(), first)
      assert.deepStrictEqual(plain(applied(held, yield* synced(source))), plain(held))
      assert.deepStrictEqual(plain(applied(held, yield* synced(source, lastCursor(first)))), plain(held))
    })
  },
  {
    rule: "finds exactly the difference after a change",
    check: Effect.fnUntraced(function*(source) {
      const first = yield* synced(source)
      const { gone, upserted } = yield* source.change
      const second = yield* synced(source, lastCursor(first))
      const held = applied(applied(new Map(), first), second)
      const emitted = idsOf(second.filter(({ _tag }) => _tag === "Upsert"))
      for (const id of upserted) assert.include(emitted, id)
      for (const id of gone) assert.isFalse(held.has(id), id)
      assert.deepStrictEqual(plain(held), plain(applied(new Map(), yield* synced(source))))
    })
  },
  {
    rule: "concludes no deletion before a complete enumeration",
    check: Effect.fnUntraced(function*(source) {
      const whole = yield* synced(source)
      const of = (tag: SyncStep["_tag"], steps: ReadonlyArray<SyncStep>) =>
        [...new Set(idsOf(steps.filter(({ _tag }) => _tag === tag)))].sort()
      const end = whole.findIndex(({ _tag }) => _tag === "Complete")
      if (end >= 0) assert.deepStrictEqual(of("Listed", whole.slice(0, end)), of("Upsert", whole))
      if (source.breakOff === undefined) return
      yield* source.breakOff
      const steps: Array<SyncStep> = []
      const cut = Stream.runForEach(streamed(source), (step) => Effect.sync(() => steps.push(step)))
      const failure = yield* Effect.match(cut, { onFailure: ({ _tag }) => _tag, onSuccess: () => undefined })
      assert.isDefined(failure, "a source that breaks off is a failure")
      for (const { _tag } of steps) assert.notInclude(["Complete", "Delete"], _tag)
    })
  },
  {
    rule: "starts over with a cursor that it cannot read",
    check: Effect.fnUntraced(function*(source) {
      const expected = plain(applied(new Map(), yield* synced(source)))
      for (const cursor of ["", "{", "null", "\u{1f9a1}", "x".repeat(5_000)]) {
        assert.deepStrictEqual(plain(applied(new Map(), yield* synced(source, cursor))), expected, cursor.slice(0, 9))
      }
    })
  },
  {
    rule: `emits at most ${MAX_ITEMS} items between two checkpoints, and lists at most ${MAX_ITEMS} ids at a time`,
    check: Effect.fnUntraced(function*(source) {
      yield* source.fill
      let [since, all] = [0, 0]
      yield* Stream.runForEach(streamed(source), (step) =>
        Effect.sync(() => {
          if (step._tag === "Upsert") [since, all] = [since + 1, all + 1]
          if (step._tag === "Checkpoint") since = 0
          if (step._tag === "Listed") assert.isAtMost(step.external_ids.length, MAX_ITEMS)
          assert.isAtMost(since, MAX_ITEMS)
        }))
      assert.isAtLeast(all, 1_200)
    })
  },
  {
    rule: "stops when it is interrupted, and works again afterwards",
    check: Effect.fnUntraced(function*(source) {
      const expected = plain(applied(new Map(), yield* synced(source)))
      for (const taken of [0, 1, 5]) {
        let seen = 0
        const slow = Stream.runForEach(
          streamed(source),
          () => Effect.suspend(() => ++seen > taken ? Effect.never : Effect.void)
        )
        const fiber = yield* Effect.forkChild(slow, { startImmediately: true })
        yield* Effect.yieldNow
        const stopped = yield* Effect.timeoutOption(Fiber.interrupt(fiber), "5 seconds")
        assert.strictEqual(stopped._tag, "Some", "it goes on")
      }
      assert.deepStrictEqual(plain(applied(new Map(), yield* synced(source))), expected)
    })
  }
]

/** `fresh` makes a source with 30 documents or more. */
export const providerContract = <E>(
  name: string,
  fresh: Effect.Effect<ProviderSource, E, Scope.Scope>,
  { timeout = 120_000 }: { readonly timeout?: number } = {}
): void => {
  describe(`the provider ${name}`, () => {
    for (const { check, rule } of providerRules) {
      it.live(rule, () => Effect.scoped(Effect.flatMap(fresh, check)), timeout)
    }
  })
}
