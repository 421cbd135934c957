/** The kit for providers, on a sound provider and on one that is broken for each of its rules. */
import { assert, describe, it } from "@effect/vitest"
import { type Provider, RetryableFailure, type SyncStep } from "@tributary/core/ports/Provider"
import { Effect, Exit, Schema, Stream } from "effect"
import { providerContract, providerRules, type ProviderSource } from "../src/ProviderContract.ts"

/** How a provider may be wrong. */
interface Faults {
  readonly forgetsResources?: boolean
  readonly bareIds?: boolean
  readonly lateItems?: boolean
  readonly skipsOnResume?: boolean
  readonly looksOnlyAhead?: boolean
  readonly differsEachTime?: boolean
  readonly missesChanges?: boolean
  readonly hasty?: boolean
  readonly believesAnyCursor?: boolean
  readonly fewCheckpoints?: boolean
  readonly listsAtOnce?: boolean
  readonly keepsState?: boolean
}

/** The version that is stored completely, and how much of a newer one was emitted. */
const Cursor = Schema.fromJsonString(Schema.Struct({ seen: Schema.Int, after: Schema.String, version: Schema.Int }))

const STEP = 7

const listing = (faults: Faults): ProviderSource => {
  const lines = new Map<string, { text: string; version: number }>()
  let version = 1
  let breaks = false
  let [counter, opened] = [0, 0]
  for (let index = 0; index < 40; index++) lines.set(`line-${String(index).padStart(5, "0")}`, { text: "a", version })
  const idOf = (name: string) => faults.bareIds === true ? name : `list/${name}`

  const provider: Provider<null> = {
    provider: "list",
    name: "List",
    config: Schema.Null,
    syncDefaults: { start: null, interval_minutes: 5 },
    resources: () => Effect.succeed(faults.forgetsResources === true ? [] : ["list"]),
    sync: ({ cursor }) => {
      const read = cursor === null ? null : Schema.decodeOption(Cursor)(cursor)
      const from = read === null || read._tag === "None"
        ? { seen: 0, after: cursor !== null && faults.believesAnyCursor === true ? "line-00020" : "", version: 1 }
        : read.value
      if (faults.keepsState === true && opened++ > 0) counter++
      const all = [...lines].sort(([a], [b]) => a < b ? -1 : 1)
      const now = version
      const step = faults.fewCheckpoints === true ? 2_000 : STEP
      const total = Math.ceil(all.length / step)
      const first = all.findIndex(([name]) => name > from.after)
      const steps = all.flatMap(([name, line], index): ReadonlyArray<SyncStep> => {
        if (name <= from.after && (faults.looksOnlyAhead === true || line.version <= from.version)) return []
        const text = faults.differsEachTime === true ? String(counter++) : line.text
        const isNew = line.version > (faults.missesChanges === true && from.seen > 0 ? now : from.seen)
        const skipped = faults.skipsOnResume === true && cursor !== null && index === first
        const payload = { kind: "page", content: `${text}${faults.keepsState === true && counter > 0 ? counter : ""}` }
        return [
          ...(isNew && !skipped
            ? [{ _tag: "Upsert", item: { external_id: idOf(name), timestamp: new Date(0), payload } } as const]
            : []),
          ...((index + 1) % step === 0
            ? [
              {
                _tag: "Checkpoint",
                cursor: JSON.stringify({ seen: from.seen, after: name, version: now }),
                done: (index + 1) / step,
                total
              } as const
            ]
            : [])
        ]
      })
      const ids = all.map(([name]) => idOf(name))
      const most = faults.listsAtOnce === true ? ids.length : 1_000
      const complete: SyncStep = { _tag: "Complete" }
      const end: ReadonlyArray<SyncStep> = [
        ...Array.from(
          { length: Math.ceil(ids.length / most) },
          (_, at) => ({ _tag: "Listed", external_ids: ids.slice(at * most, (at + 1) * most) }) as const
        ),
        complete,
        { _tag: "Checkpoint", cursor: JSON.stringify({ seen: now, after: "", version: 0 }), done: total, total },
        ...(faults.lateItems === true ? steps.slice(0, 1) : [])
      ]
      const broken = Stream.fail(new RetryableFailure({ message: "The list broke off." }))
      return breaks
        ? Stream.concat(
          Stream.fromIterable([...(faults.hasty === true ? [complete] : []), ...steps.slice(0, 9)]),
          broken
        )
        : Stream.fromIterable([...steps, ...end])
    }
  }
  return {
    provider,
    config: null,
    resource: "list",
    change: Effect.sync(() => {
      version++
      lines.set("line-new", { text: "new", version })
      lines.set("line-00003", { text: "changed", version })
      lines.delete("line-00007")
      return { upserted: ["list/line-new", "list/line-00003"], gone: ["list/line-00007"] }
    }),
    breakOff: Effect.sync(() => void (breaks = true)),
    fill: Effect.sync(() => {
      for (let index = 0; index < 3_000; index++) lines.set(`more-${index}`, { text: "m", version })
    })
  }
}

providerContract("list", Effect.sync(() => listing({})))

const BROKEN: ReadonlyArray<readonly [keyof Faults, string]> = [
  ["forgetsResources", "names its resources"],
  ["bareIds", "begins every external id"],
  ["lateItems", "emits everything before its last checkpoint"],
  ["skipsOnResume", "is resumable"],
  ["looksOnlyAhead", "emits what changed"],
  ["differsEachTime", "is idempotent"],
  ["missesChanges", "finds exactly the difference"],
  ["hasty", "concludes no deletion"],
  ["believesAnyCursor", "starts over with a cursor"],
  ["fewCheckpoints", "emits at most"],
  ["listsAtOnce", "lists at most"],
  ["keepsState", "stops when it is interrupted"]
]

describe("the kit for providers", () => {
  it("has a broken provider for every rule", () => {
    for (const { rule } of providerRules) assert.isTrue(BROKEN.some(([, broken]) => rule.includes(broken)), rule)
  })

  it.effect.each(BROKEN)("catches a provider that %s", ([fault, rule]) =>
    Effect.gen(function*() {
      const { check } = providerRules.find((one) => one.rule.includes(rule))!
      const checked = (faults: Faults) => Effect.exit(Effect.suspend(() => check(listing(faults))))
      assert.isTrue(Exit.isSuccess(yield* checked({})))
      assert.isTrue(Exit.isFailure(yield* checked({ [fault]: true })))
    }))
})
