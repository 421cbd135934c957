/** Pages of two servers, while documents change, segments are merged and rebuilt, and servers start. */
import { assert, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Arbitrary, Clock, Context, Effect, Layer, Schema } from "effect"
import { ContextViews } from "../../src/context/ContextViews.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DocumentId } from "../../src/model/Id.ts"
import type { SearchAnswer, SearchRequest } from "../../src/model/Search.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { Search } from "../../src/search/Search.ts"
import { Reranking } from "../../src/search/Reranking.ts"
import { VectorSearch } from "../../src/search/VectorSearch.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { connected } from "../support/services.ts"
import { serviceOver, settle } from "../support/wholeService.ts"

const DAY = 86_400_000
const NAMES = 12

/** Each text has the first, and some of the others. The last is the beginning of two others. */
const TEXTS = ["lamp", "lamp red", "lamp green lamp", "lamp grey and red", "eine lamp und die Farbe green", "lamp gre"]
const TEAMS = ["blue", "gold"]
const QUERIES: ReadonlyArray<Omit<SearchRequest, "limit" | "cursor">> = [
  { q: "lamp" },
  { q: "red" },
  { q: "gre" },
  { q: "lamp", metadata: { team: "blue" } }
]

const Name = integerBelow(NAMES)
const Write = Arbitrary.all({
  names: Arbitrary.array(Name, { minLength: 1, maxLength: 6 }),
  text: integerBelow(TEXTS.length),
  team: integerBelow(TEAMS.length),
  /** Later than everything before, or earlier. */
  isLater: Arbitrary.schema(Schema.Boolean),
  isRemoved: Arbitrary.schema(Schema.Literals([false, false, true]))
})
type Write = typeof Write extends Arbitrary.Arbitrary<infer A> ? A : never
const Step = Arbitrary.all({
  write: Write,
  next: Arbitrary.schema(Schema.Literals(["nothing", "nothing", "refresh", "rebuild", "start"])),
  /** While a rebuild reads. */
  meanwhile: Write,
  query: integerBelow(QUERIES.length),
  limit: Arbitrary.schema(Schema.Literals([1, 2, 3, 5]))
})

interface Stored {
  readonly text: string
  readonly team: string
}

const isFound = ({ metadata, q }: typeof QUERIES[number], all: ReadonlyArray<Stored>) => {
  const has = ({ text }: Stored, word: string) => text.split(" ").includes(word)
  // A word that occurs nowhere is completed.
  const words = q === "gre" && !all.some((one) => has(one, q)) ? ["green", "grey"] : [q]
  return (one: Stored) =>
    words.some((word) => has(one, word)) && (metadata === undefined || metadata?.["team"] === one.team)
}

it.effect.prop(
  "every match is on one page, whichever server answers each page",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 12 })],
  ([steps]) => {
    let afterRead: Effect.Effect<unknown> = Effect.void
    const store = Layer.effect(
      DocumentStore,
      Effect.map(DocumentStore, (inner) => ({
        ...inner,
        scan: (...given: Parameters<typeof inner.scan>) =>
          Effect.tap(inner.scan(...given), () => Effect.suspend(() => afterRead))
      }))
    )
    const service = serviceOver(Layer.provideMerge(store, Layer.fresh(Memory.layer)))
    return Effect.gen(function*() {
      const ports = yield* Effect.context<Layer.Success<typeof Memory.layer>>()
      // Only the first server runs jobs.
      const started = Effect.map(
        Layer.build(
          Layer.fresh(Search.layer).pipe(
            Layer.provide(Layer.fresh(Layer.mergeAll(ContextViews.layer, Reranking.layer, VectorSearch.layer))),
            Layer.provide(Layer.succeedContext(ports))
          )
        ),
        (context) => Context.get(context, Search)
      )
      const { id, source, workspace } = yield* connected({ tier: "pro" })
      const [ingest, documents, context] = [yield* Ingest, yield* Documents, yield* KnowledgeContext]
      const now = yield* Clock.currentTimeMillis
      const model = new Map<string, Stored>()
      let latest = 0
      const write = ({ isLater, isRemoved, names, team, text }: Write) => {
        const externalIds = [...new Set(names)].map((name) => `n${name}`)
        const stored = { text: TEXTS[text]!, team: TEAMS[team]! }
        if (isRemoved) {
          for (const name of externalIds) model.delete(name)
          return Effect.asVoid(documents.deleteMany(id, source, externalIds))
        }
        for (const name of externalIds) model.set(name, stored)
        const timestamp = new Date(now + (isLater ? ++latest : -1) * DAY)
        return Effect.asVoid(ingest.text(
          workspace,
          source,
          externalIds.map((external_id) => ({
            external_id,
            text: stored.text,
            timestamp,
            metadata: { team: stored.team }
          }))
        ))
      }
      const servers = [yield* Search, yield* started]
      const pages = Effect.fnUntraced(function*(request: SearchRequest, first: number) {
        const found: Array<ReadonlyArray<string>> = []
        let cursor: string | null = null
        do {
          const server: Search["Service"] = servers[(first + found.length) % 2]!
          const answer: SearchAnswer = yield* server.search(id, { ...request, cursor })
          found.push(answer.results.map(({ external_id }) => external_id))
          cursor = answer.next_cursor
        } while (cursor !== null)
        return found
      })

      for (const [at, { limit, meanwhile, next, query, ...step }] of steps.entries()) {
        yield* write(step.write)
        if (next === "start") servers[1] = yield* started
        if (next === "refresh") yield* settle(5)
        if (next === "rebuild") {
          let isRead = false
          afterRead = Effect.suspend(() => {
            if (isRead) return Effect.void
            isRead = true
            return Effect.orDie(write(meanwhile))
          })
          yield* context.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
          yield* settle(5)
          assert.isTrue(isRead)
          afterRead = Effect.void
        }
        const asked = QUERIES[query]!
        const found = yield* pages({ ...asked, limit }, at)
        const passes = isFound(asked, [...model.values()])
        const wanted = [...model].filter(([, stored]) => passes(stored)).map(([name]) => name)
        assert.deepStrictEqual(found.flat().toSorted(), wanted.toSorted())
        for (const page of found.slice(0, -1)) assert.lengthOf(page, limit)
      }
    }).pipe(Effect.scoped, Effect.provide(service))
  },
  { arbitrary: { runs: 20, size: 60 } }
)

it.effect("a document that changes whenever a page is read is on a later page", () => {
  let beforePassages: Effect.Effect<unknown> = Effect.void
  const store = Layer.effect(
    DocumentStore,
    Effect.map(DocumentStore, (inner) => ({
      ...inner,
      passages: (...given: Parameters<typeof inner.passages>) =>
        Effect.andThen(Effect.suspend(() => beforePassages), inner.passages(...given))
    }))
  )
  const service = serviceOver(Layer.provideMerge(store, Layer.fresh(Memory.layer)))
  return Effect.gen(function*() {
    const { id, source, workspace } = yield* connected({ tier: "pro" })
    const [ingest, search] = [yield* Ingest, yield* Search]
    const push = (external_id: string, text: string) => ingest.text(workspace, source, [{ external_id, text }])
    const names = ["n0", "n1", "n2", "n3", "n4"]
    for (const name of names) yield* push(name, name === "n0" ? "lamp lamp" : "lamp")
    let changes = 0
    beforePassages = Effect.suspend(() => Effect.orDie(push("n0", `lamp lamp ${"lamp ".repeat(++changes)}`)))
    const first = yield* search.search(id, { q: "lamp", limit: 2 })
    assert.lengthOf(first.results, 1)
    beforePassages = Effect.void
    const second = yield* search.search(id, { q: "lamp", limit: 4, cursor: first.next_cursor })
    const found = [...first.results, ...second.results].map(({ external_id }) => external_id)
    assert.deepStrictEqual(found.toSorted(), names)
  }).pipe(Effect.provide(service))
})

it.effect("of two documents whose ids end alike one is missing, and no other", () => {
  const store = Layer.effect(
    DocumentStore,
    Effect.map(DocumentStore, (inner) => ({
      ...inner,
      admit: (...[id, source, items, ...rest]: Parameters<typeof inner.admit>) =>
        inner.admit(
          id,
          source,
          items.map((item) => ({ ...item, document_id: withEnd(item.document_id, item.external_id) })),
          ...rest
        )
    }))
  )
  const withEnd = (id: DocumentId, name: string): DocumentId =>
    name === "n0" || name === "n60" ? DocumentId.make(`${id.slice(0, -8)}00000000`) : id
  const service = serviceOver(Layer.provideMerge(store, Layer.fresh(Memory.layer)))
  return Effect.gen(function*() {
    const { id, source, workspace } = yield* connected({ tier: "pro" })
    const [ingest, search] = [yield* Ingest, yield* Search]
    const names = Array.from({ length: 100 }, (_, at) => `n${at}`)
    yield* ingest.text(workspace, source, names.map((external_id) => ({ external_id, text: "lamp" })))
    const found: Array<string> = []
    let cursor: string | null = null
    do {
      const answer: SearchAnswer = yield* search.search(id, { q: "lamp", limit: 40, cursor })
      found.push(...answer.results.map(({ external_id }) => external_id))
      cursor = answer.next_cursor
    } while (cursor !== null)
    assert.sameMembers(found, names.filter((name) => name !== "n60"))
  }).pipe(Effect.provide(service))
})
