/** Random histories of workspaces that are deleted while everything runs in them, and calls of the store fail. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Clock, Effect, Latch, Layer, Option, Schema, type Scope } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { State } from "../../../memory/src/internal/State.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { Questions } from "../../src/ask/Questions.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { MAINTENANCE_QUEUE } from "../../src/jobs/maintenanceJobs.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import type { WorkspaceRecord } from "../../src/model/Workspace.ts"
import { ApiKeys } from "../../src/people/ApiKeys.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { AuditStore, EVERY_ENTRY } from "../../src/ports/AuditStore.ts"
import { type Job, JobStore } from "../../src/ports/JobStore.ts"
import { SegmentCache, type SegmentCopies } from "../../src/ports/SegmentCache.ts"
import { Search } from "../../src/search/Search.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import { Connections } from "../../src/sync/Connections.ts"
import * as Providers from "../../src/sync/Providers.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import * as Tributary from "../../src/Tributary.ts"
import { UsageLog } from "../../src/usage/UsageLog.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { connect, key, leap, settle, store } from "../support/connecting.ts"
import { faultyPorts, insist as insisting, newFaults, someFaults } from "../support/faultyPorts.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { newMeanwhile } from "../support/intercepted.ts"
import { ALL, newReceiver } from "../support/receiver.ts"
import { stoppableServers } from "../support/stoppableServers.ts"
import { fill, tinySource } from "../support/tinySource.ts"
import { extractor } from "../support/wholeService.ts"

const PAGE = { cursor: null, limit: 100 }

const Act = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals([
    "create",
    "create",
    "write",
    "write",
    "write",
    "sync",
    "ask",
    "ask later",
    "search",
    "rebuild",
    "erase",
    "erase",
    "stop server",
    "end server"
  ])),
  at: integerBelow(6),
  name: integerBelow(4)
})
type Act = typeof Act extends Arbitrary.Arbitrary<infer A> ? A : never
const Step = Arbitrary.all({
  now: Act,
  /** Before one of the next calls of any server. */
  meanwhile: Act,
  calls: integerBelow(12),
  faults: someFaults,
  wait: Arbitrary.schema(Schema.Literals([0, 0, 1, 3]))
})

type Services = Layer.Success<typeof Tributary.layer>

/** What a test knows of a workspace. */
interface Place {
  readonly workspace: WorkspaceRecord
  readonly id: WorkspaceId
  /** A word of each of its texts. */
  readonly word: string
  readonly connectorId: string
  readonly connectionId: string
  readonly secret: string
  /** By external id, the texts that were acknowledged. */
  readonly texts: Map<string, string>
  /** When the deletion was acknowledged. */
  erasedAt: number | null
  isClosing: boolean
}

/** Copies of segments as a server's disk keeps them. */
const newCopies = () => {
  const copies = new Map<WorkspaceId, Map<string, Uint8Array>>()
  const of = (id: WorkspaceId) => copies.get(id) ?? new Map<string, Uint8Array>()
  const cache: SegmentCopies = {
    get: (id, segmentId) => Effect.sync(() => of(id).get(segmentId) ?? null),
    source: () => Effect.succeed(null),
    put: (id, segmentId, bytes) => Effect.sync(() => void copies.set(id, of(id).set(segmentId, bytes))),
    retain: (id, kept) =>
      Effect.sync(() => {
        for (const segmentId of of(id).keys()) if (!kept.includes(segmentId)) of(id).delete(segmentId)
        if (of(id).size === 0) copies.delete(id)
      }),
    workspaces: Effect.sync(() => [...copies.keys()])
  }
  return { cache, copies }
}

it.effect.prop(
  "nothing of a deleted workspace is readable, stored, run or sent, a new one of its name is empty, and others are whole",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 15 })],
  ([steps]) => {
    const source = tinySource()
    fill(source, 3)
    const receiver = newReceiver()
    const faults = newFaults()
    const meanwhile = newMeanwhile()
    /** The jobs that were begun. */
    const claims: Array<Pick<Job, "job_id" | "queue" | "workspace_id"> & { readonly at: number }> = []
    const watched = Layer.effect(
      JobStore,
      Effect.map(JobStore, (inner) => ({
        ...inner,
        claim: (...given: Parameters<typeof inner.claim>) =>
          Effect.tap(inner.claim(...given), (claim) =>
            Effect.map(Clock.currentTimeMillis, (at) => {
              if (Option.isSome(claim)) claims.push({ ...claim.value.job, at })
            }))
      }))
    )
    const startServer = Effect.gen(function*() {
      const awake = Latch.makeUnsafe(true)
      const { cache, copies } = newCopies()
      const ports = faultyPorts(() => Effect.andThen(awake.await, Effect.map(meanwhile.before, faults.next)))
      const services = yield* Layer.build(
        Layer.fresh(Tributary.layer).pipe(
          Layer.provide(ExtractiveAnswerer.layer),
          Layer.provide(Providers.layer([source.provider])),
          Layer.provide(SecretBox.layer([key(1)])),
          Layer.provide(Layer.succeed(WebhookSender, receiver)),
          Layer.provide(Layer.succeed(SegmentCache, cache)),
          Layer.provide(extractor),
          Layer.provide(ports)
        )
      )
      yield* Effect.addFinalizer(() => awake.open)
      return { awake, copies, services }
    })
    return Effect.gen(function*() {
      const { running, stop, wake, wakeAll } = yield* stoppableServers(startServer)
      const on = <A, E>(act: Effect.Effect<A, E, Services>) =>
        Effect.suspend(() => Effect.provideContext(act, running.at(-1)!.services))
      const insist = <A, E>(act: Effect.Effect<A, E, Services>) => insisting(on(act))
      const { account_id, personal_workspace } = yield* on(
        Effect.flatMap(Workspaces, (all) => all.createAccount({ name: "Ada", tier: "pro" }))
      )
      const places: Array<Place> = []

      const furnish = Effect.fnUntraced(function*(workspace: WorkspaceRecord) {
        const word = `house${places.length}x`
        const connector = yield* (yield* Connectors).create(workspace, { name: "One", source_name: "one" }, OPERATOR)
        yield* (yield* Webhooks).create(
          workspace,
          { url: `https://example.com/${word}`, event_types: [...ALL, "ask.succeeded", "ask.failed"] },
          OPERATOR
        )
        const { secret } = yield* (yield* ApiKeys).create(
          workspace.workspace_id,
          { name: "K", scopes: ["api:read"] },
          OPERATOR
        )
        const { connection_id } = yield* connect(workspace)
        places.push({
          workspace,
          id: workspace.workspace_id,
          word,
          secret,
          connectorId: connector.connector_id,
          connectionId: connection_id,
          texts: new Map(),
          erasedAt: null,
          isClosing: false
        })
      })

      /** What any server shows of a workspace. */
      const seen = Effect.fnUntraced(function*({ id, secret, word }: Pick<Place, "id" | "secret" | "word">) {
        // Before the question below is logged.
        const questions = (yield* (yield* Questions).list(id, null, PAGE)).items
        const { citations, related = [] } = yield* (yield* Asks).ask(id, { query: `Where is the lamp of ${word}?` })
        return {
          exists: yield* Effect.isSuccess((yield* Workspaces).find(id)),
          key: yield* Effect.isSuccess((yield* ApiKeys).authenticate(secret)),
          documents: (yield* (yield* Documents).browse(id, {}, "title", PAGE)).items,
          events: (yield* (yield* Documents).events(id, { source: null, kind: null }, PAGE)).items,
          found: (yield* (yield* Search).search(id, { q: "lamp", limit: 50 })).results,
          cited: [...citations, ...related],
          questions,
          asked: (yield* (yield* Asks).jobs(id, null, PAGE)).items,
          connectors: yield* (yield* Connectors).list(id, true),
          connections: yield* (yield* Connections).list(id),
          webhooks: yield* (yield* Webhooks).list(id),
          usage: (yield* (yield* UsageLog).history(id, 30)).days
        }
      })
      const seenOn = (services: typeof running[number]["services"], place: Parameters<typeof seen>[0]) =>
        Effect.flatten(insisting(Effect.provideContext(seen(place), services)))
      const NOTHING: Effect.Success<ReturnType<typeof seen>> = {
        exists: false,
        key: false,
        documents: [],
        events: [],
        found: [],
        cited: [],
        questions: [],
        asked: [],
        connectors: [],
        connections: [],
        webhooks: [],
        usage: []
      }

      const create = Effect.gen(function*() {
        const created = yield* insist(
          Effect.flatMap(Workspaces, (all) => all.createShared(personal_workspace, "Shared", OPERATOR))
        )
        // An answer that was lost has taken a place of the plan.
        if (created._tag === "Failure") return
        faults.plan([])
        meanwhile.cancel()
        const fresh = { id: created.value.workspace_id, secret: "", word: "any house" }
        assert.deepStrictEqual(yield* seenOn(running[0]!.services, fresh), { ...NOTHING, exists: true })
        yield* Effect.flatten(insist(furnish(created.value)))
      })
      const erase = Effect.fnUntraced(function*(place: Place) {
        if (place === places[0] || place.erasedAt !== null) return
        place.isClosing = true
        const erased = yield* insist(Effect.flatMap(Workspaces, (all) => all.erase(place.id)))
        place.erasedAt = yield* Clock.currentTimeMillis
        return erased
      })

      const perform = (
        { act, at, name }: Act
      ): Effect.Effect<unknown, unknown, Layer.Success<typeof store> | Scope.Scope> => {
        const place = places[at % places.length]!
        const { connectionId, connectorId, id, texts, word, workspace } = place
        const query = `Where is the lamp of ${word}?`
        switch (act) {
          case "create":
            return create
          case "write": {
            const [external_id, text] = [`n${name}`, `The lamp of ${word} is number ${name + at}.`]
            return Effect.tap(
              insist(Effect.flatMap(Ingest, (ingest) => ingest.text(workspace, connectorId, [{ external_id, text }]))),
              (exit) => {
                if (exit._tag === "Success") texts.set(external_id, text)
                else assert.isTrue(place.isClosing)
                return Effect.void
              }
            )
          }
          case "sync":
            return insist(Effect.flatMap(Syncs, (syncs) => syncs.start(id, connectionId)))
          case "ask":
            return insist(Effect.flatMap(Asks, (asks) => asks.ask(id, { query })))
          case "ask later":
            return insist(Effect.flatMap(Asks, (asks) => asks.askLater(id, { query })))
          case "search":
            return insist(Effect.flatMap(Search, (search) => search.search(id, { q: "lamp" })))
          case "rebuild":
            return insist(
              Effect.flatMap(
                KnowledgeContext,
                (context) => context.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
              )
            )
          case "erase":
            return erase(place)
          case "stop server":
            return stop
          case "end server":
            return wake
        }
      }
      const context = yield* Effect.context<Layer.Success<typeof store> | Scope.Scope>()
      const run = (act: Act) => Effect.provideContext(Effect.suspend(() => perform(act)), context)

      const check = Effect.gen(function*() {
        for (const place of places) {
          if (place.erasedAt === null) continue
          for (const { services } of running) {
            assert.deepStrictEqual(yield* seenOn(services, place), NOTHING, place.word)
          }
        }
      })

      yield* on(furnish(personal_workspace))
      yield* create
      for (const { calls, faults: planned, meanwhile: act, now, wait } of steps) {
        faults.plan(planned)
        let ended: Effect.Effect<unknown, unknown> = Effect.void
        meanwhile.plan(calls, Effect.map(Effect.exit(Effect.uninterruptible(run(act))), (exit) => ended = exit))
        yield* run(now)
        if (wait > 0) yield* settle(wait)
        meanwhile.cancel()
        yield* ended
        faults.plan([])
        yield* check
      }
      yield* wakeAll
      yield* settle(90)
      const erased = places.filter(({ erasedAt }) => erasedAt !== null)
      const late = yield* Clock.currentTimeMillis
      yield* Effect.andThen(leap("2 hours"), settle(20))
      yield* check

      const { jobs, keys, people: { invitations, members }, workspaces } = yield* State
      const isErased = (id: string) => erased.some((place) => place.id === id)
      assert.isEmpty([...workspaces.keys(), ...members.keys()].filter(isErased))
      assert.isEmpty([...keys.values()].filter(({ workspace }) => isErased(workspace.record.workspace_id)))
      assert.isEmpty([...invitations.values()].filter(({ workspace_id }) => isErased(workspace_id)))
      for (const { copies } of running) assert.isEmpty([...copies.keys()].filter(isErased))
      for (const { at, job_id, queue, workspace_id } of claims) {
        const place = erased.find(({ id }) => id === workspace_id)
        if (place === undefined) continue
        assert.isFalse(jobs.isLive(job_id))
        assert.isTrue(at <= place.erasedAt! || (queue === MAINTENANCE_QUEUE && at < late))
      }
      for (const { at, url } of receiver.got) {
        if (at > late) assert.isFalse(erased.some(({ word }) => url.endsWith(word)), url)
      }
      const audit = yield* (yield* AuditStore).list(account_id, {
        workspaceId: null,
        selection: EVERY_ENTRY,
        after: null,
        limit: 1_000
      })
      for (const { id } of erased) {
        assert.isTrue(audit.some(({ action, subject }) => action === "workspace.deleted" && subject === id), "recorded")
      }
      for (const place of places.filter(({ erasedAt }) => erasedAt === null)) {
        for (const { services } of running) {
          const { documents, exists, found, key } = yield* seenOn(services, place)
          assert.deepStrictEqual([exists, key], [true, true])
          const pushed = documents.filter(({ source }) => source === "custom:one")
          assert.sameMembers(pushed.map(({ external_id }) => external_id), [...place.texts.keys()])
          const snippets = found.filter(({ source }) => source === "custom:one").map(({ snippet }) => snippet)
          assert.sameMembers(snippets, [...place.texts.values()])
        }
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(watched, store)))
  },
  { timeout: 900_000, arbitrary: { runs: extent(3, 200), size: 100, seed: 1 } }
)
