/** Random histories of documents that tokens with filters read: each sees exactly what its filter shows. */
import { assert, it } from "@effect/vitest"
import { Arbitrary, Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Asks } from "../../src/ask/Asks.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import type { Answer } from "../../src/model/Ask.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { isShown, showsSource, type TokenFilter } from "../../src/model/Token.ts"
import { CurrentTokenFilter } from "../../src/people/CurrentTokenFilter.ts"
import { Search } from "../../src/search/Search.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extent } from "../../../../.ci/extent.ts"
import { key, store } from "../support/connecting.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { documentsAfter, newMeanwhile } from "../support/intercepted.ts"
import { workspaceWith } from "../support/services.ts"
import { extractor, settle } from "../support/wholeService.ts"

const DAY = 86_400_000
const NAMES = 6
const SOURCES = ["one", "two"] as const
const TEAMS = ["red", "blue"] as const
const day = (at: number) => new Date(at * DAY)
const FILTERS: ReadonlyArray<TokenFilter> = [
  { metadata: { team: "red" } },
  { metadata: { team: "blue" }, from: day(1) },
  { sources: ["custom:one"] },
  { sources: ["custom:one", "custom:none"], metadata: { team: "red" } },
  { from: day(1), to: day(3) },
  { sources: ["custom"], to: day(2) },
  { sources: ["custom:two", "page"], from: day(-2) }
]

const HOOKED = new Set(["browse", "changes", "find", "list", "matching", "passages"])

const Act = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals(["write", "write", "write", "move", "delete", "ask later", "rest"])),
  names: Arbitrary.array(integerBelow(NAMES), { minLength: 1, maxLength: 4 }),
  source: integerBelow(SOURCES.length),
  team: integerBelow(TEAMS.length),
  day: integerBelow(5),
  filter: integerBelow(FILTERS.length)
})
type Act = typeof Act extends Arbitrary.Arbitrary<infer A> ? A : never
const Step = Arbitrary.all({ now: Act, meanwhile: Act, calls: integerBelow(8) })

interface Stored {
  readonly source: string
  readonly kind: string
  readonly metadata: { readonly team: string }
  readonly timestamp: Date
  readonly text: string
}

const stored = ({ day: at, source, team }: Act): Stored => ({
  source: `custom:${SOURCES[source]}`,
  kind: "custom",
  metadata: { team: TEAMS[team]! },
  timestamp: day(at - 1),
  text: `The lamp of team ${TEAMS[team]} in house ${SOURCES[source]} is lit on day ${at - 1}.`
})

/** What a text says of its document. */
const read = (text: string) => {
  const [, team, source, at] = /of team (\w+) in house (\w+) is lit on day (-?\d+)/.exec(text)!
  return { source: `custom:${source}`, kind: "custom", metadata: { team: team! }, timestamp: day(Number(at)) }
}

const quotesOf = ({ citations, related = [] }: Answer) => [...citations, ...related].map(({ entity }) => entity)

it.effect.prop(
  "a token with a filter lists, finds, cites and follows what its filter shows, and nothing else",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 12 })],
  ([steps]) => {
    const meanwhile = newMeanwhile()
    const hooked = documentsAfter(meanwhile.before, HOOKED)
    const server = Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(SecretBox.layer([key(1)])),
      Layer.provide(extractor)
    )
    return Effect.gen(function*() {
      const servers = [yield* Layer.build(server), yield* Layer.build(server)] as const
      const [services] = servers
      const workspace = yield* Effect.provideContext(workspaceWith({ tier: "pro" }), services)
      const { workspace_id: id } = workspace
      const connectors = Context.get(services, Connectors)
      const sources = yield* Effect.forEach(
        SOURCES,
        (name) => connectors.create(workspace, { name, source_name: name }, OPERATOR)
      )
      /** By source and external id. */
      const model = new Map<string, Stored & { readonly document_id: string }>()
      const jobs: Array<{ readonly job_id: string; readonly filter: TokenFilter }> = []
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)

      const write = Effect.fnUntraced(function*(act: Act) {
        const { text, ...document } = stored(act)
        const { items } = yield* Context.get(services, Ingest).text(
          workspace,
          sources[act.source]!.connector_id,
          [...new Set(act.names)].map((name) => ({
            external_id: `n${name}`,
            text,
            timestamp: document.timestamp,
            metadata: document.metadata
          }))
        )
        for (const { document_id, external_id } of items) {
          model.set(`${act.source} ${external_id}`, { ...document, text, document_id: document_id! })
        }
      })
      const remove = Effect.fnUntraced(function*({ names, source }: Act) {
        const externalIds = names.map((name) => `n${name}`)
        yield* Context.get(services, Documents).deleteMany(id, sources[source]!.connector_id, externalIds)
        for (const name of externalIds) model.delete(`${source} ${name}`)
      })
      const run = (act: Act) =>
        Effect.orDie(Effect.gen(function*() {
          switch (act.act) {
            case "write":
              return yield* write(act)
            case "move":
              yield* remove({ ...act, source: 1 - act.source })
              return yield* write(act)
            case "delete":
              return yield* remove(act)
            case "ask later": {
              const filter = FILTERS[act.filter]!
              const { job_id } = yield* Context.get(services, Asks).askLater(id, { query: "Where is the lamp lit?" })
                .pipe(Effect.provideService(CurrentTokenFilter, filter))
              return void jobs.push({ job_id, filter })
            }
            case "rest":
              return yield* settle(2)
          }
        })).pipe(Effect.provideService(CurrentTokenFilter, null))

      const check = Effect.fnUntraced(function*(services: typeof servers[number], filter: TokenFilter) {
        const [documents, asks] = [Context.get(services, Documents), Context.get(services, Asks)]
        const shown = [...model.values()].filter((document) => isShown(filter, document))
        const ids = shown.map(({ document_id }) => document_id).toSorted()
        const found = yield* documents.browse(id, {}, "title", { cursor: null, limit: 50 })
        assert.deepStrictEqual(found.items.map(({ document_id }) => document_id as string).toSorted(), ids)
        assert.strictEqual(found.total, ids.length)
        const { results } = yield* Context.get(services, Search).search(id, { q: "lamp", limit: 50 })
        assert.deepStrictEqual(results.map((one) => one.id as string).toSorted(), ids)
        const listed = yield* Context.get(services, Connectors).list(id, true)
        for (const { connector_id, source_name } of sources) {
          const own = shown.filter(({ source }) => source === `custom:${source_name}`)
          const isVisible = own.length > 0 || showsSource(filter, `custom:${source_name}`)
          assert.strictEqual(listed.some((one) => one.connector_id === connector_id), isVisible)
          const page = yield* Effect.option(documents.list(id, connector_id, null, { cursor: null, limit: 50 }))
          assert.deepStrictEqual(
            page._tag === "Some" ? page.value.items.map((one) => one.document_id as string).toSorted() : null,
            isVisible ? own.map(({ document_id }) => document_id).toSorted() : null
          )
        }
        for (const { document_id, text } of model.values()) {
          const found = yield* Effect.option(documents.find(id, document_id))
          assert.strictEqual(found._tag === "Some" ? found.value.text : null, ids.includes(document_id) ? text : null)
        }
        for (const entity of quotesOf(yield* asks.ask(id, { query: "Where is the lamp lit?" }))) {
          assert.include(ids, entity.id)
          assert.isTrue(isShown(filter, read(entity.quote)))
        }
        for (const job of jobs.filter((job) => job.filter === filter)) {
          const { result } = yield* asks.job(id, job.job_id, Duration.zero)
          for (const { id } of result === null ? [] : quotesOf(result)) assert.include(ids, id)
        }
        const { items } = yield* documents.events(id, { source: null, kind: null }, { cursor: null, limit: 500 })
        for (const event of items) assert.isTrue(isShown(filter, event))
      })

      /** Whatever changes in between, nothing is read that the filter does not show. */
      const glance = Effect.fnUntraced(function*(services: typeof servers[number], filter: TokenFilter) {
        const documents = Context.get(services, Documents)
        const { results } = yield* Context.get(services, Search).search(id, { q: "lamp", limit: 50 })
        for (const result of results) assert.isTrue(isShown(filter, read(result.snippet)))
        const { items } = yield* documents.browse(id, {}, "title", { cursor: null, limit: 50 })
        for (const document of items) assert.isTrue(isShown(filter, document))
        for (const { document_id } of model.values()) {
          const found = yield* Effect.option(documents.find(id, document_id))
          if (found._tag === "Some") assert.isTrue(isShown(filter, read(found.value.text)))
        }
        for (
          const entity of quotesOf(yield* Context.get(services, Asks).ask(id, { query: "Where is the lamp lit?" }))
        ) {
          assert.isTrue(isShown(filter, read(entity.quote)))
        }
      })

      for (const [at, { calls, meanwhile: act, now }] of steps.entries()) {
        yield* run(now)
        meanwhile.plan(calls, run(act))
        const filter = FILTERS[act.filter]!
        yield* Effect.provideService(glance(servers[at % 2]!, filter), CurrentTokenFilter, filter)
        meanwhile.cancel()
        const other = FILTERS[now.filter]!
        yield* Effect.provideService(check(servers[(at + 1) % 2]!, other), CurrentTokenFilter, other)
      }
      yield* settle(3)
      for (const filter of FILTERS) {
        yield* Effect.provideService(check(servers[1], filter), CurrentTokenFilter, filter)
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(hooked, store)))
  },
  { timeout: 600_000, arbitrary: { runs: extent(4, 200), size: 100, seed: 1 } }
)
