/** Random histories in which calls of the store fail or are lost: at rest, everything is as if they had not. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Arbitrary, Context, Duration, Effect, Latch, Layer, Schema, type Scope } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { Questions } from "../../src/ask/Questions.ts"
import { ASK_QUEUE } from "../../src/ask/askJobs.ts"
import { CONTEXT_QUEUE } from "../../src/context/contextJobs.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { MAINTENANCE_QUEUE } from "../../src/jobs/maintenanceJobs.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { QuestionStore } from "../../src/ports/QuestionStore.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import { Connections } from "../../src/sync/Connections.ts"
import * as Providers from "../../src/sync/Providers.ts"
import { SYNC_QUEUE } from "../../src/sync/run/syncJobs.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import * as Tributary from "../../src/Tributary.ts"
import { ANNOUNCEMENT_QUEUE, WEBHOOK_QUEUE } from "../../src/webhooks/run/webhookJobs.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { connect, key, leap, settle, store } from "../support/connecting.ts"
import { faultyPorts, insist as insisting, newFaults, someFaults } from "../support/faultyPorts.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { ALL, newReceiver } from "../support/receiver.ts"
import { workspaceWith } from "../support/services.ts"
import { stoppableServers } from "../support/stoppableServers.ts"
import { tinySource } from "../support/tinySource.ts"
import { extractor } from "../support/wholeService.ts"

const NAMES = 6
const QUEUES = [ASK_QUEUE, CONTEXT_QUEUE, MAINTENANCE_QUEUE, SYNC_QUEUE, WEBHOOK_QUEUE, ANNOUNCEMENT_QUEUE]
const TEXTS = ["The lamp is red.", "The lamp is green, and it stands in the hall.", "The lamp was sold."]

const Step = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals([
    "write",
    "write",
    "write",
    "delete",
    "deactivate and delete",
    "put",
    "put",
    "take away",
    "sync",
    "disconnect",
    "ask later",
    "ask later",
    "cancel",
    "forget",
    "rebuild",
    "refresh",
    "stop server",
    "end server"
  ])),
  names: Arbitrary.array(integerBelow(NAMES), { minLength: 1, maxLength: 4 }),
  text: integerBelow(TEXTS.length),
  faults: someFaults,
  wait: Arbitrary.schema(Schema.Literals([0, 1, 2, 5]))
})
type Step = typeof Step extends Arbitrary.Arbitrary<infer A> ? A : never

type Services = Layer.Success<typeof Tributary.layer>

it.effect.prop(
  "at rest, documents, answers, events and deliveries are as if no call had failed, and no job is left",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 15 })],
  ([steps]) => {
    const source = tinySource()
    const receiver = newReceiver()
    const faults = newFaults()
    const startServer = Effect.gen(function*() {
      const awake = Latch.makeUnsafe(true)
      const ports = faultyPorts(() => Effect.map(awake.await, faults.next))
      const services = yield* Layer.build(
        Layer.fresh(Tributary.layer).pipe(
          Layer.provide(ExtractiveAnswerer.layer),
          Layer.provide(Providers.layer([source.provider])),
          Layer.provide(SecretBox.layer([key(1)])),
          Layer.provide(Layer.succeed(WebhookSender, receiver)),
          Layer.provide(extractor),
          Layer.provide(ports)
        )
      )
      yield* Effect.addFinalizer(() => awake.open)
      return { awake, services }
    })
    return Effect.gen(function*() {
      const { running, stop, wake, wakeAll } = yield* stoppableServers(startServer)
      const on = <A, E>(act: Effect.Effect<A, E, Services>) =>
        Effect.suspend(() => Effect.provideContext(act, running.at(-1)!.services))
      const insist = <A, E>(act: Effect.Effect<A, E, Services>) => insisting(on(act))
      const workspace = yield* on(workspaceWith({ tier: "pro" }))
      const { workspace_id: id } = workspace
      yield* on(
        Effect.flatMap(
          Webhooks,
          (webhooks) =>
            webhooks.create(workspace, {
              url: "https://example.com/hook",
              event_types: [...ALL, "ask.succeeded", "ask.failed", "ask.cancelled"]
            }, OPERATOR)
        )
      )
      const { connector_id } = yield* on(
        Effect.flatMap(
          Connectors,
          (connectors) => connectors.create(workspace, { name: "one", source_name: "one" }, OPERATOR)
        )
      )
      const { connection_id } = yield* on(connect(workspace))
      let isConnected = true
      /** By external id. */
      const model = new Map<string, string>()
      const asked: Array<string> = []
      const answered = new Set<string>()
      const forgotten = new Set<string>()
      const notes = source.resources.get("notes")!

      const perform = (
        { act, names, text }: Step
      ): Effect.Effect<unknown, never, Layer.Success<typeof store> | Scope.Scope> => {
        const externalIds = [...new Set(names)].map((name) => `n${name}`)
        switch (act) {
          case "write":
            for (const name of externalIds) model.set(name, TEXTS[text]!)
            return insist(Effect.flatMap(Ingest, (ingest) =>
              ingest.text(
                workspace,
                connector_id,
                externalIds.map((external_id) => ({ external_id, text: TEXTS[text]!, timestamp: new Date(0) }))
              )))
          case "delete":
            for (const name of externalIds) model.delete(name)
            return insist(Effect.flatMap(Documents, (documents) => documents.deleteMany(id, connector_id, externalIds)))
          case "deactivate and delete":
            model.clear()
            return Effect.andThen(
              insist(Effect.flatMap(Connectors, (all) => all.deactivate(workspace, connector_id, true, OPERATOR))),
              insist(
                Effect.flatMap(Connectors, (all) => all.update(workspace, connector_id, { is_active: true }, OPERATOR))
              )
            )
          case "put":
            return Effect.sync(() => externalIds.forEach((name) => notes.set(name, TEXTS[text]!)))
          case "take away":
            return Effect.sync(() => externalIds.forEach((name) => notes.delete(name)))
          case "sync":
            return insist(Effect.flatMap(Syncs, (syncs) => syncs.start(id, connection_id)))
          case "disconnect":
            if (!isConnected) return Effect.void
            isConnected = false
            return insist(Effect.flatMap(Connections, (all) => all.delete(workspace, connection_id, true, OPERATOR)))
          case "ask later":
            return Effect.tap(
              insist(Effect.flatMap(Asks, (asks) => asks.askLater(id, { query: "Where is the lamp?" }))),
              (exit) => Effect.sync(() => exit._tag === "Success" && asked.push(exit.value.job_id))
            )
          case "cancel":
            return asked.length === 0
              ? Effect.void
              : insist(Effect.flatMap(Asks, (asks) => asks.cancel(id, asked[text % asked.length]!)))
          case "forget":
            return Effect.gen(function*() {
              const page = { cursor: null, limit: 1 }
              const listed = yield* insist(Effect.flatMap(Questions, (questions) => questions.list(id, null, page)))
              const question = listed._tag === "Success" ? listed.value.items[0] : undefined
              if (question === undefined) return
              const { question_id } = question
              yield* insist(Effect.flatMap(Questions, (questions) => questions.remove(id, question_id)))
              forgotten.add(question_id)
            })
          case "rebuild":
            return insist(
              Effect.flatMap(
                KnowledgeContext,
                (context) => context.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
              )
            )
          case "refresh":
            return insist(Effect.flatMap(KnowledgeContext, (context) => context.refresh(id, {})))
          case "stop server":
            return stop
          case "end server":
            return wake
        }
      }

      for (const step of steps) {
        faults.plan(step.faults)
        yield* perform(step)
        if (step.wait > 0) yield* settle(step.wait)
      }
      faults.plan([])
      yield* wakeAll
      yield* settle(40)
      if (isConnected) yield* insist(Effect.flatMap(Syncs, (syncs) => syncs.start(id, connection_id)))
      yield* settle(40)
      for (let day = 0; day < 2; day++) yield* Effect.andThen(leap("20 minutes"), settle(20))

      const jobs = yield* JobStore
      for (const queue of QUEUES) {
        for (const status of ["queued", "running", "failed"] as const) {
          // Nobody waits long for an answer.
          if (queue === ASK_QUEUE && status === "failed") continue
          assert.isEmpty(yield* jobs.list(id, queue, { status, after: null, limit: 10 }), `${queue} ${status}`)
        }
      }
      const wanted = new Map(model)
      if (isConnected) { for (const [name, text] of notes) wanted.set(`notes/${name}`, text) }
      for (const { services } of running) {
        const documents = Context.get(services, Documents)
        const listed = yield* documents.browse(id, {}, "title", { cursor: null, limit: 100 })
        assert.sameMembers(listed.items.map(({ external_id }) => external_id), [...wanted.keys()])
        for (const { document_id, external_id } of listed.items) {
          assert.include((yield* documents.find(id, document_id)).text, wanted.get(external_id)!)
        }
        const { results } = yield* Context.get(services, Search).search(id, { q: "lamp", limit: 50 })
        assert.sameMembers(results.map(({ external_id }) => external_id), [...wanted.keys()])
        assert.deepInclude(yield* Context.get(services, KnowledgeContext).status(id), {
          state: "ready",
          up_to_date: true,
          pending_documents: 0
        })
      }
      const held = yield* (yield* DocumentStore).meters(id)
      assert.strictEqual(held.documents, wanted.size)
      for (const job of asked) {
        const { attempt, error, result, status } = yield* on(
          Effect.flatMap(Asks, (asks) => asks.job(id, job, Duration.zero))
        )
        assert.strictEqual(status === "failed", error !== null)
        assert.strictEqual(status === "succeeded", result !== null)
        if (status === "failed") assert.strictEqual(attempt, 3)
        if (status === "succeeded") answered.add(job)
        assert.lengthOf(
          new Set(receiver.got.filter(({ event }) => event.data["job_id"] === job).map(({ id }) => id)),
          1,
          "announcements"
        )
      }
      const questions = yield* (yield* QuestionStore).list(id, { answered: null, after: null, limit: 100 })
      const logged = questions.map(({ question_id }) => question_id as string)
      assert.strictEqual(new Set(logged).size, logged.length)
      for (const question of answered) {
        assert.strictEqual(logged.includes(question), !forgotten.has(question), "logged")
      }
      const events = yield* (yield* DocumentStore).events(id, { since: 0, source: null, kind: null, limit: 5_000 })
      const delivered = receiver.got.filter(({ event }) => event.type.startsWith("document."))
      const order = new Map<string, Array<unknown>>()
      for (const { event } of delivered) {
        const ofDocument = order.get(event.data["document_id"] as string) ?? []
        order.set(event.data["document_id"] as string, ofDocument)
        if (!ofDocument.includes(event.data["event_id"])) ofDocument.push(event.data["event_id"])
      }
      const expected = new Map<string, Array<unknown>>()
      for (const { document_id, event_id } of events) {
        expected.set(document_id, [...expected.get(document_id) ?? [], event_id])
      }
      assert.deepStrictEqual([...order].toSorted(), [...expected].toSorted())
    }).pipe(Effect.scoped, Effect.provide(store))
  },
  { timeout: 900_000, arbitrary: { runs: extent(4, 200), size: 100, seed: 1 } }
)
