/** The contract of `DocumentStore` for listing all documents of a workspace, and deleting a selection. */
import { assert } from "@effect/vitest"
import { isShown } from "@tributary/core/model/Token"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import {
  type DocumentFilter,
  type DocumentOrder,
  type DocumentPosition,
  type DocumentRecord,
  DocumentStore,
  EVERY_DOCUMENT
} from "@tributary/core/ports/DocumentStore"
import { positionOf } from "@tributary/core/ports/documentPosition"
import { Effect, Schema } from "effect"
import { freshSource, item, moment, newConnector, newJob, newQueue, UNCAPPED } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const BY_AGE: DocumentOrder = { by: "timestamp", descending: false }

/** A workspace with two connectors. */
const twoSources = Effect.gen(function*() {
  const store = yield* DocumentStore
  const home = yield* freshSource
  const { workspaceId } = home
  const second = newConnector()
  yield* (yield* ConnectorStore).insert(workspaceId, second, 10)
  const follow = () => newJob(workspaceId, newQueue())
  const idsOf = (filter: Partial<DocumentFilter>, order = BY_AGE) =>
    Effect.map(
      store.browse(workspaceId, { ...EVERY_DOCUMENT, ...filter }, { order, after: null, limit: 100 }),
      (found) => found.map(({ external_id }) => external_id)
    )
  return {
    ...home,
    store,
    second,
    idsOf,
    admitToSecond: (items: ReadonlyArray<ReturnType<typeof item>>, source = `files:${second.connector_id}`) =>
      store.admit(workspaceId, { connector_id: second.connector_id, source }, items, {
        caps: UNCAPPED,
        now: moment(),
        follow: follow()
      })
  }
})

/** Few values, so that they meet. */
const Items = Schema.Array(Schema.Struct({
  title: Schema.Literals(["b", "B", "a", "é", "\u{1F600}", "\uFB01", ""]),
  size: Schema.Literals([1, 2]),
  at: Schema.Literals([0, 1]),
  lasts: Schema.NullOr(Schema.Literals([-1, 0, 1]))
})).check(Schema.isMaxLength(7))

const Value = Schema.optionalKey(Schema.Literals(["1", "", "\\"]))

const Pairs = Schema.Struct({ team: Value, "a \"quoted\" key": Value, ключ: Value })

const Seen = Schema.Struct({
  kind: Schema.Literals(["page", "custom"]),
  pulled: Schema.Boolean,
  metadata: Pairs,
  at: Schema.Literals([0, 2, 4]),
  lasts: Schema.NullOr(Schema.Literals([0, 1, 3]))
})

const Bound = Schema.NullOr(Schema.Literals([0, 1, 2, 3]))

/** `THIS` is replaced by the connection. */
const Shown = Schema.Struct({
  sources: Schema.NullOr(
    Schema.Array(Schema.Literals(["page", "custom", "files", "THIS", "file"])).check(Schema.isMinLength(1))
  ),
  metadata: Schema.NullOr(Pairs),
  from: Bound,
  to: Bound
})

const at = (bound: typeof Bound.Type): Date | null => bound === null ? null : moment(bound)

const ORDERS: ReadonlyArray<DocumentOrder> = (["timestamp", "updated_at", "title", "size"] as const).flatMap((by) => [
  { by, descending: false },
  { by, descending: true }
])

const byCodePoint = (left: string, right: string): number => {
  const [ours, theirs] = [left, right].map((text) => Array.from(text, (character) => character.codePointAt(0)!))
  for (const [index, point] of ours!.entries()) {
    if (point !== theirs![index]) return theirs![index] === undefined ? 1 : point - theirs![index]!
  }
  return ours!.length - theirs!.length
}

const inOrder = (left: DocumentPosition, right: DocumentPosition): number =>
  (typeof left.key === "string" ? byCodePoint(left.key, String(right.key)) : left.key - Number(right.key)) ||
  byCodePoint(left.document_id, right.document_id)

export const documentBrowsingContract = (it: Kit): void => {
  it.effect.prop(
    "pages through all documents from a moment on in every order, each once",
    [Items, Schema.NullOr(Schema.Literals([0, 1]))],
    ([given, from]) =>
      Effect.gen(function*() {
        const { admit, store, workspaceId } = yield* twoSources
        yield* admit(
          given.map(({ at, lasts, size, title }, index) =>
            item(`${index}`, `text ${index}`, {
              title: title === "" ? null : title,
              size,
              timestamp: moment(at),
              ends_at: lasts === null ? null : moment(at + lasts)
            })
          )
        )
        const expected = given.filter(({ at, lasts }) => from === null || at >= from || at + (lasts ?? 0) > from)
        const filter = { ...EVERY_DOCUMENT, from: from === null ? null : moment(from) }
        for (const order of ORDERS) {
          const found: Array<DocumentRecord> = []
          for (let after: DocumentPosition | null = null;;) {
            const page: ReadonlyArray<DocumentRecord> = yield* store.browse(workspaceId, filter, {
              order,
              after,
              limit: 2
            })
            found.push(...page)
            const last = page.at(-1)
            if (last === undefined) break
            after = positionOf(last, order)
          }
          const keys = found.map((record) => positionOf(record, order))
          const sorted = keys.toSorted((left, right) => (order.descending ? -1 : 1) * inOrder(left, right))
          assert.deepStrictEqual(keys, sorted)
          assert.strictEqual(new Set(found.map(({ document_id }) => document_id)).size, expected.length)
          assert.strictEqual(found.length, expected.length)
        }
      }),
    RUNS
  )

  it.effect("filters by source, provider, connector, kind, time, context and ids", () =>
    Effect.gen(function*() {
      const { admit, admitToSecond, connector_id, idsOf, origin, second } = yield* twoSources
      const [first, , third] = [
        item("a", "a", { kind: "page", timestamp: moment(0), ends_at: moment(5) }),
        item("b", "b", { timestamp: moment(1) }),
        item("c", "c", { timestamp: moment(2) })
      ]
      yield* admit([first!, item("b", "b", { timestamp: moment(1) })])
      yield* admitToSecond([third!])
      assert.deepStrictEqual(yield* idsOf({}), ["a", "b", "c"])
      assert.deepStrictEqual(yield* idsOf({ connectorId: connector_id }), ["a", "b"])
      assert.deepStrictEqual(yield* idsOf({ source: origin.source }), ["a", "b"])
      assert.deepStrictEqual(yield* idsOf({ source: "custom" }), ["a", "b"])
      assert.deepStrictEqual(yield* idsOf({ source: "files" }), ["c"])
      assert.deepStrictEqual(yield* idsOf({ source: "file" }), [])
      assert.deepStrictEqual(yield* idsOf({ source: `files:${second.connector_id}` }), ["c"])
      assert.deepStrictEqual(yield* idsOf({ kind: "page" }), ["a"])
      assert.deepStrictEqual(yield* idsOf({ from: moment(5) }), [])
      assert.deepStrictEqual(yield* idsOf({ to: moment(1) }), ["a"])
      const range = { from: moment(2), to: moment(4), inside: true }
      assert.deepStrictEqual(yield* idsOf({ range }), ["a", "c"])
      assert.deepStrictEqual(yield* idsOf({ range: { ...range, inside: false } }), ["b"])
      assert.deepStrictEqual(yield* idsOf({ range: { from: null, to: moment(1), inside: true } }), ["a"])
      assert.deepStrictEqual(yield* idsOf({ range: { from: moment(5), to: null, inside: false } }), ["a", "b", "c"])
      assert.deepStrictEqual(yield* idsOf({ documentIds: [first!.document_id, third!.document_id] }), ["a", "c"])
      assert.deepStrictEqual(yield* idsOf({ documentIds: [] }), [])
    }))

  it.effect("takes a range until the end of the year 9999, which is the first moment of the next", () =>
    Effect.gen(function*() {
      const { admit, idsOf } = yield* twoSources
      yield* admit([
        item("now", "now"),
        item("last", "last", { timestamp: new Date("9999-12-31T23:59:59.999Z") })
      ])
      const range = { from: moment(), to: new Date("+010000-01-01T00:00:00.000Z"), inside: true }
      assert.deepStrictEqual(yield* idsOf({ range }), ["now", "last"])
      assert.deepStrictEqual(yield* idsOf({ range: { ...range, inside: false } }), [])
    }))

  it.effect("finds what overlaps a range: a duration in part, a moment from its beginning on", () =>
    Effect.gen(function*() {
      const { admit, idsOf, store, workspaceId } = yield* twoSources
      yield* admit([
        item("meeting", "a", { timestamp: moment(0), ends_at: moment(4) }),
        item("note", "b", { timestamp: moment(2) }),
        item("start", "c", { timestamp: moment(4), ends_at: moment(4) })
      ])
      const cases: ReadonlyArray<readonly [from: number | null, to: number | null, found: ReadonlyArray<string>]> = [
        [1, 2, ["meeting"]],
        [2, 3, ["meeting", "note"]],
        [3, null, ["meeting", "start"]],
        [4, null, ["start"]],
        [4, 9, ["start"]],
        [5, null, []],
        [null, 0, []],
        [null, 4, ["meeting", "note"]],
        [2, 2, []],
        [3, 1, []]
      ]
      for (const [first, last, expected] of cases) {
        const range = { from: first === null ? null : moment(first), to: last === null ? null : moment(last) }
        const filter = { ...EVERY_DOCUMENT, ...range }
        assert.deepStrictEqual(yield* idsOf(range), expected, `${first} to ${last}`)
        assert.strictEqual(yield* store.countMatching(workspaceId, filter, 9), expected.length)
        assert.strictEqual((yield* store.matching(workspaceId, filter, 9)).length, expected.length)
      }
    }))

  it.effect.prop(
    "shows a token what its filter allows",
    [Schema.Array(Seen).check(Schema.isMaxLength(5)), Shown],
    ([given, { from, metadata, sources, to }]) =>
      Effect.gen(function*() {
        const { admit, admitToSecond, second, store, workspaceId } = yield* twoSources
        const items = (wanted: boolean) =>
          given.flatMap(({ at, kind, lasts, metadata, pulled }, index) =>
            pulled === wanted
              ? [item(`${index}`, `text ${index}`, {
                kind,
                metadata,
                timestamp: moment(at),
                ends_at: lasts === null ? null : moment(at + lasts)
              })]
              : []
          )
        yield* admit(items(false))
        yield* admitToSecond(items(true))
        const shownTo = {
          sources: sources?.map((wanted) => wanted === "THIS" ? `files:${second.connector_id}` : wanted) ?? null,
          metadata,
          from: at(from),
          to: at(to)
        }
        const filter = { ...EVERY_DOCUMENT, shownTo }
        const page = { order: BY_AGE, after: null, limit: 10 }
        const all = yield* store.browse(workspaceId, EVERY_DOCUMENT, page)
        const expected = all.filter((record) => isShown(shownTo, record))
        assert.deepStrictEqual(yield* store.browse(workspaceId, filter, page), expected)
        assert.strictEqual(yield* store.countMatching(workspaceId, filter, 10), expected.length)
      }),
    RUNS
  )

  it.effect("finds every word, in one of its forms, in the title or the external id", () =>
    Effect.gen(function*() {
      const { admit, idsOf } = yield* twoSources
      yield* admit([
        item("RFC-12", "a", { title: "Deploys on Weekdays", timestamp: moment(0) }),
        item("rfc-15_%", "b", { title: "Übersicht", timestamp: moment(1) }),
        item("plain", "c", { timestamp: moment(2) }),
        item("cafe\u0301", "d", { title: "が ½ 각", timestamp: moment(3) }),
        item("Й", "e", { title: "crème", timestamp: moment(4) })
      ])
      assert.deepStrictEqual(yield* idsOf({ words: [["rfc"]] }), ["RFC-12", "rfc-15_%"])
      assert.deepStrictEqual(yield* idsOf({ words: [["rfc"], ["week"]] }), ["RFC-12"])
      assert.deepStrictEqual(yield* idsOf({ words: [["bersicht"]] }), ["rfc-15_%"])
      assert.deepStrictEqual(yield* idsOf({ words: [["absent", "ubersicht"], ["rfc"]] }), ["rfc-15_%"])
      assert.deepStrictEqual(yield* idsOf({ words: [["übersicht"]] }), [])
      assert.deepStrictEqual(yield* idsOf({ words: [["cafe"]] }), ["cafe\u0301"])
      assert.deepStrictEqual(yield* idsOf({ words: [["が"], ["½"], ["각"]] }), ["cafe\u0301"])
      for (const part of ["か", "가", "\u0301"]) assert.deepStrictEqual(yield* idsOf({ words: [[part]] }), [], part)
      assert.deepStrictEqual(yield* idsOf({ words: [["И"], ["creme"]] }), ["Й"])
      assert.deepStrictEqual(yield* idsOf({ words: [["и"]] }), [])
      assert.deepStrictEqual(yield* idsOf({ words: [["_%"]] }), ["rfc-15_%"])
      assert.deepStrictEqual(yield* idsOf({ words: [["weekdaysrfc"]] }), [])
      assert.deepStrictEqual(yield* idsOf({ words: [["plain"]] }), ["plain"])
    }))

  it.effect("counts up to a limit, and shows nothing of another workspace", () =>
    Effect.gen(function*() {
      const { admit, store, workspaceId } = yield* twoSources
      const stranger = yield* freshSource
      yield* admit([item("a", "a"), item("b", "b"), item("c", "c")])
      assert.strictEqual(yield* store.countMatching(workspaceId, EVERY_DOCUMENT, 10), 3)
      assert.strictEqual(yield* store.countMatching(workspaceId, EVERY_DOCUMENT, 2), 2)
      assert.strictEqual(yield* store.countMatching(workspaceId, { ...EVERY_DOCUMENT, words: [["a"]] }, 10), 1)
      assert.strictEqual(yield* store.countMatching(stranger.workspaceId, EVERY_DOCUMENT, 10), 0)
      assert.deepStrictEqual(yield* store.matching(stranger.workspaceId, EVERY_DOCUMENT, 10), [])
      const page = { order: BY_AGE, after: null, limit: 10 }
      assert.deepStrictEqual(yield* store.browse(stranger.workspaceId, EVERY_DOCUMENT, page), [])
    }))

  it.effect("deletes the selected versions of any connector, except changed ones", () =>
    Effect.gen(function*() {
      const { admit, admitToSecond, idsOf, store, workspaceId } = yield* twoSources
      const stranger = yield* freshSource
      yield* admit([item("a", "a", { timestamp: moment(0) }), item("b", "b", { timestamp: moment(1) })])
      yield* admitToSecond([item("c", "c", { timestamp: moment(2) })])
      const chosen = yield* store.matching(workspaceId, EVERY_DOCUMENT, 10)
      assert.sameMembers(chosen.map(({ source }) => source.split(":")[0]), ["custom", "custom", "files"])
      yield* admit([item("b", "changed", { timestamp: moment(1) })])
      const follow = () => newJob(workspaceId, newQueue())
      assert.deepStrictEqual(
        yield* store.remove(stranger.workspaceId, { versions: chosen }, moment(9), follow()),
        []
      )
      const removed = yield* store.remove(workspaceId, { versions: chosen }, moment(9), follow())
      assert.sameMembers(removed.map(({ external_id }) => external_id), ["a", "c"])
      assert.deepStrictEqual(yield* idsOf({}), ["b"])
      assert.strictEqual((yield* store.meters(workspaceId)).documents, 1)
      const events = yield* store.events(workspaceId, { since: 0, source: null, kind: null, limit: 100 })
      assert.sameMembers(
        events.filter(({ type }) => type === "document.deleted").map(({ external_id }) => external_id),
        ["a", "c"]
      )
      assert.deepStrictEqual(yield* store.remove(workspaceId, { versions: chosen }, moment(9), follow()), [])
      assert.deepStrictEqual(yield* store.remove(workspaceId, { versions: [] }, moment(9), follow()), [])
    }))
}
