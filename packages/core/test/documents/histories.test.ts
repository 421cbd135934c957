/** Random histories of pushed documents: every list, search, answer, event and delivery agrees with a simple model. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Arbitrary, Clock, Context, Effect, Layer, Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import type { DocumentSort } from "../../src/model/DocumentList.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { ALL } from "../support/receiver.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import * as Tributary from "../../src/Tributary.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { key, leap, store } from "../support/connecting.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { documentsAfter, newMeanwhile } from "../support/intercepted.ts"
import { workspaceWith } from "../support/services.ts"
import { extractor, settle } from "../support/wholeService.ts"

const DAY = 86_400_000
const NAMES = 8
const HOOKED = new Set(["remove", "changes", "scan", "passages"])
const SORTS: ReadonlyArray<DocumentSort> = ["timestamp", "-updated_at", "title", "-size"]
const RANGES = [
  { start: null, end: null },
  { start: { type: "relative", days: 3 }, end: null },
  { start: null, end: { type: "relative", days: 3 } },
  { start: { type: "relative", days: 2 }, end: { type: "relative", days: 2 } }
] as const
const TEXTS = ["The lamp is red.", "The lamp is green, and it stands in the hall.", "The lamp was sold."]

const Act = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals([
    "write",
    "write",
    "write",
    "write",
    "write",
    "delete",
    "delete names",
    "delete selected",
    "deactivate",
    "deactivate and delete",
    "activate",
    "activate",
    "range",
    "range",
    "refresh"
  ])),
  connector: integerBelow(2),
  names: Arbitrary.array(integerBelow(NAMES), { minLength: 1, maxLength: 6 }),
  text: integerBelow(TEXTS.length),
  day: integerBelow(11)
})
type Act = typeof Act extends Arbitrary.Arbitrary<infer A> ? A : never
const Step = Arbitrary.all({
  now: Act,
  /** Before one of the next calls of the store of documents. */
  meanwhile: Act,
  calls: integerBelow(6),
  wait: Arbitrary.schema(Schema.Literals([0, 0, 1, 3, "1 day"])),
  limit: Arbitrary.schema(Schema.Literals([1, 2, 5, 50])),
  sort: integerBelow(SORTS.length)
})

interface Stored {
  readonly document_id: string
  readonly text: string
  readonly timestamp: number
}

it.effect.prop(
  "what is stored is listed, found, cited, counted and announced, and nothing else",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 20 })],
  ([steps]) => {
    const meanwhile = newMeanwhile()
    const hooked = documentsAfter(meanwhile.before, HOOKED)
    const sent: Array<{ readonly type: string; readonly data: { readonly event_id: string } }> = []
    const server = Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(SecretBox.layer([key(1)])),
      Layer.provide(Layer.succeed(WebhookSender, {
        check: () => Effect.void,
        send: ({ body }) =>
          Effect.sync(() => {
            sent.push(JSON.parse(body))
            return { status: 204, body: "", retryAfterSeconds: undefined }
          })
      })),
      Layer.provide(extractor)
    )
    return Effect.gen(function*() {
      const servers = [yield* Layer.build(server), yield* Layer.build(server)] as const
      const [services] = servers
      const workspace = yield* Effect.provideContext(workspaceWith({ tier: "pro" }), services)
      const { workspace_id: id } = workspace
      const connectors = Context.get(services, Connectors)
      const documents = Context.get(services, Documents)
      const ingest = Context.get(services, Ingest)
      const context = Context.get(services, KnowledgeContext)
      yield* Context.get(services, Webhooks).create(
        workspace,
        { url: "https://example.com/hook", event_types: ALL },
        OPERATOR
      )
      const sources = yield* Effect.forEach(
        ["one", "two"],
        (name) => connectors.create(workspace, { name, source_name: name }, OPERATOR)
      )
      const now = yield* Clock.currentTimeMillis
      /** Undefined while a connector is activated. */
      const active: Array<boolean | undefined> = [true, true]
      /** By number of the connector and external id. */
      const model = new Map<string, Stored>()
      const isOf = (connector: number) => (name: string) => name.startsWith(`${connector} `)
      const forget = (documentIds: ReadonlyArray<string>) => {
        for (const [name, { document_id }] of model) if (documentIds.includes(document_id)) model.delete(name)
      }
      const run = ({ act, connector, day, names, text }: Act): Effect.Effect<unknown> => {
        const { connector_id } = sources[connector]!
        const externalIds = [...new Set(names)].map((name) => `n${name}`)
        const named = (externalId: string) => `${connector} ${externalId}`
        const timestamp = now + (day - 5) * DAY
        switch (act) {
          case "write":
            return Effect.gen(function*() {
              const written = yield* Effect.exit(ingest.text(
                workspace,
                connector_id,
                externalIds.map((external_id) => ({ external_id, text: TEXTS[text]!, timestamp: new Date(timestamp) }))
              ))
              assert.strictEqual(written._tag === "Success", active[connector] ?? written._tag === "Success")
              if (written._tag === "Failure") return
              for (const { document_id, external_id } of written.value.items) {
                assert.isNotNull(document_id)
                model.set(named(external_id), { document_id: document_id!, text: TEXTS[text]!, timestamp })
              }
            })
          case "delete": {
            const stored = model.get(named(externalIds[0]!))
            return stored === undefined
              ? Effect.void
              : Effect.tap(
                Effect.exit(documents.delete(workspace, stored.document_id, OPERATOR)),
                Effect.sync(() => forget([stored.document_id]))
              )
          }
          case "delete names":
            return Effect.tap(
              Effect.orDie(documents.deleteMany(id, connector_id, externalIds)),
              Effect.sync(() => externalIds.forEach((one) => model.delete(named(one))))
            )
          case "delete selected":
            return Effect.gen(function*() {
              const total = [...model.keys()].filter(isOf(connector)).length
              const before = new Map(model)
              const selected = yield* documents.selected(id, { filter: { connector_id }, confirm_total: total })
              assert.lengthOf(selected, total)
              const deleted = yield* documents.deleteSelected(workspace, selected, OPERATOR)
              const expected = [...before].filter(([name, stored]) => {
                const present = model.get(name)
                return isOf(connector)(name) && present?.document_id === stored.document_id &&
                  present.text === stored.text && present.timestamp === stored.timestamp
              })
              // What was changed and changed back in between is no longer what was selected.
              assert.isTrue(deleted.every((one) => expected.some(([, { document_id }]) => document_id === one)))
              if (before.size === model.size) assert.isAtLeast(expected.length, deleted.length)
              forget(deleted)
            }).pipe(Effect.orDie)
          case "deactivate":
            active[connector] = false
            return Effect.orDie(connectors.deactivate(workspace, connector_id, false, OPERATOR))
          case "deactivate and delete":
            active[connector] = false
            return Effect.gen(function*() {
              yield* connectors.deactivate(workspace, connector_id, true, OPERATOR)
              active[connector] = undefined
              const before = [...model].filter(([name]) => isOf(connector)(name))
              yield* connectors.update(workspace, connector_id, { is_active: true }, OPERATOR)
              active[connector] = true
              // What was written meanwhile stays.
              for (const [name, stored] of before) if (model.get(name) === stored) model.delete(name)
            }).pipe(Effect.orDie)
          case "activate":
            return Effect.tap(
              Effect.orDie(connectors.update(workspace, connector_id, { is_active: true }, OPERATOR)),
              Effect.sync(() => active[connector] = true)
            )
          case "range":
            return Effect.orDie(
              context.configure(workspace, { temporal_settings: RANGES[day % RANGES.length]! }, OPERATOR)
            )
          case "refresh":
            return Effect.orDie(context.refresh(id, {}))
        }
      }

      const check = Effect.fnUntraced(function*(at: number, limit: number, sort: DocumentSort) {
        const services = servers[at % 2]!
        const documents = Context.get(services, Documents)
        const names = [...model.keys()].toSorted()
        const nameOf = (document_id: string) => [...model].find(([, one]) => one.document_id === document_id)?.[0]
        const listed: Array<string | undefined> = []
        for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
          const page: Effect.Success<ReturnType<typeof documents.browse>> = yield* documents.browse(id, {}, sort, {
            cursor,
            limit
          })
          assert.strictEqual(page.total, names.length)
          listed.push(...page.items.map(({ document_id }) => nameOf(document_id)))
          cursor = page.next
        }
        assert.deepStrictEqual(listed.toSorted(), names)
        const { results } = yield* Context.get(services, Search).search(id, { q: "lamp", limit: 50 })
        assert.deepStrictEqual(results.map((result) => nameOf(result.id)).toSorted(), names)
        const inContext = yield* documents.browse(id, { in_context: true }, "timestamp", { cursor: null, limit: 50 })
        const inside = new Set(inContext.items.map(({ document_id }) => document_id as string))
        for (const { document_id, text, timestamp } of model.values()) {
          const found = yield* documents.find(id, document_id)
          assert.deepInclude(found, { text, timestamp: new Date(timestamp), in_context: inside.has(document_id) })
        }
        const answer = yield* Context.get(services, Asks).ask(id, { query: "Where is the lamp?" })
        assert.strictEqual(answer.citations.length + (answer.related ?? []).length > 0, inside.size > 0)
        for (const { entity } of [...answer.citations, ...answer.related ?? []]) {
          assert.isTrue(inside.has(entity.id))
          assert.strictEqual(model.get(nameOf(entity.id)!)!.text.slice(entity.start, entity.end), entity.quote)
        }
        const held = yield* (yield* DocumentStore).meters(id)
        assert.strictEqual(held.documents, names.length)
      })

      for (const [at, { calls, limit, meanwhile: act, now, sort, wait }] of steps.entries()) {
        meanwhile.plan(calls, Effect.suspend(() => run(act)))
        yield* run(now)
        if (typeof wait === "string") yield* leap(wait)
        else if (wait > 0) yield* settle(wait)
        meanwhile.cancel()
        yield* check(at, limit, SORTS[sort]!)
      }
      yield* settle(20)
      for (const at of servers.keys()) yield* check(at, 50, "timestamp")
      assert.deepInclude(yield* context.status(id), { state: "ready", up_to_date: true, pending_documents: 0 })
      const { items } = yield* documents.events(id, { source: null, kind: null }, { cursor: null, limit: 1_000 })
      const present = new Set<string>()
      for (const { document_id, type } of items) {
        assert.strictEqual(present.has(document_id), type !== "document.created")
        if (type === "document.deleted") present.delete(document_id)
        else present.add(document_id)
      }
      assert.sameMembers([...present], [...model.values()].map(({ document_id }) => document_id))
      assert.sameMembers(sent.map(({ data }) => data.event_id), items.map(({ event_id }) => event_id as string))
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(hooked, store)))
  },
  { arbitrary: { runs: extent(15, 200), size: 100, seed: 1 } }
)
