/** Random histories of a source, its connection and the servers that sync it: at rest, the documents are the source's. */
import { assert, it } from "@effect/vitest"
import { Arbitrary, Context, Effect, Latch, Layer, Option, Schema, type Scope, Stream } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import type { SyncConfigPatch } from "../../src/model/Connection.ts"
import { ConnectorId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import {
  CredentialsRefused,
  FatalFailure,
  RetryableFailure,
  SourceGone,
  type SyncStep
} from "../../src/ports/Provider.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { Connections } from "../../src/sync/Connections.ts"
import { SYNC_QUEUE } from "../../src/sync/run/syncJobs.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import { connected, leap, node, settle, store } from "../support/connecting.ts"
import { integerBelow } from "../support/integerBelow.ts"
import { intercepted, newMeanwhile } from "../support/intercepted.ts"
import { stoppableServers } from "../support/stoppableServers.ts"
import { PASSWORD, tinySource } from "../support/tinySource.ts"

const RESOURCES = ["notes", "notes/sub", "other"]
const NOTES = 30
const DAY = 86_400_000
const resourceOf = ({ external_id }: { readonly external_id: string }) =>
  external_id.slice(0, external_id.lastIndexOf("/"))
const nameOf = (at: number) => `n${String(at).padStart(2, "0")}`

/** A source that emits what has changed since the cursor, so that nothing that is lost comes back by itself. */
const logged = () => {
  const source = tinySource()
  const versions = new Map<string, number>()
  let latest = 0
  const put = (resource: string, name: string, text: string) => {
    source.resources.set(resource, (source.resources.get(resource) ?? new Map()).set(name, text))
    versions.set(`${resource}/${name}`, ++latest)
  }
  const steps = (resource: string, notes: Map<string, string>, cursor: string | null) => {
    const upTo = latest
    const versionOf = (name: string) => versions.get(`${resource}/${name}`)!
    const external_ids = [...notes.keys()].map((name) => `${resource}/${name}`)
    const changed = [...notes.keys()].map((name) => ({ name, version: versionOf(name) }))
      .filter(({ version }) => version > Number(cursor ?? 0))
      .sort((one, other) => one.version - other.version)
    const parts = changed.map(({ name, version }, at) =>
      Stream.unwrap(Effect.map(Effect.suspend(() => source.faults.get(name) ?? Effect.void), () => {
        const content = notes.get(name)
        const upsert = {
          _tag: "Upsert",
          item: {
            external_id: `${resource}/${name}`,
            timestamp: new Date(-DAY),
            payload: { kind: "page", title: name, content: content! }
          }
        } as const
        const checkpoint = { _tag: "Checkpoint", cursor: String(version), done: at, total: changed.length } as const
        return Stream.fromIterable<SyncStep>([
          ...(content === undefined ? [] : [upsert]),
          ...(at % 3 === 2 ? [checkpoint] : [])
        ])
      }))
    )
    const end: ReadonlyArray<SyncStep> = [
      ...(source.endsEarly ? [] : [{ _tag: "Listed", external_ids }, { _tag: "Complete" }] as const),
      { _tag: "Checkpoint", cursor: String(upTo), done: changed.length, total: changed.length }
    ]
    return Stream.concat(Stream.flatten(Stream.fromIterable(parts)), Stream.fromIterable(end))
  }
  const sync: typeof source.provider.sync = ({ cursor, resource }) =>
    Stream.suspend(() => {
      const notes = source.resources.get(resource)
      if (source.password !== PASSWORD) return Stream.fail(new CredentialsRefused({ message: "Refused." }))
      return notes === undefined
        ? Stream.fail(new SourceGone({ message: "There is no such list." }))
        : steps(resource, notes, cursor)
    })
  Object.assign(source.provider, { sync, resourcesVary: () => true })
  return Object.assign(source, { put })
}

const Act = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals([
    "put",
    "put",
    "remove",
    "remove many",
    "remove many",
    "vanish",
    "appear",
    "appear",
    "retryable",
    "fatal",
    "slow",
    "slow",
    "slow",
    "mend",
    "end early",
    "refuse",
    "accept",
    "start",
    "start",
    "start",
    "cancel",
    "pause",
    "activate",
    "configure",
    "interval",
    "confirm",
    "confirm",
    "quota",
    "no quota",
    "delete",
    "delete gone",
    "delete gone",
    "stop",
    "start server",
    "wake"
  ])),
  resource: integerBelow(RESOURCES.length),
  name: integerBelow(NOTES),
  count: integerBelow(8),
  text: integerBelow(3)
})
type Act = typeof Act extends Arbitrary.Arbitrary<infer A> ? A : never

const Step = Arbitrary.all({
  now: Act,
  /** Before one of the next writes or reads of any server. */
  meanwhile: Act,
  calls: integerBelow(12),
  pause: Arbitrary.schema(Schema.Literals([1, 2, 3, 6, "70 minutes"]))
})

/** Each call of a server waits while it is stopped. */
const waiting = <S extends object>(service: S, before: Effect.Effect<unknown>): S =>
  intercepted(service, (_, call) => Effect.andThen(before, call))

it.effect.prop(
  "at rest, the documents are those of the source",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 30 })],
  ([steps]) => {
    const source = logged()
    const meanwhile = newMeanwhile()
    const startServer = Effect.gen(function*() {
      const awake = Latch.makeUnsafe(true)
      const stores = Layer.effectContext(Effect.gen(function*() {
        const [connections, documents, jobs] = [yield* ConnectionStore, yield* DocumentStore, yield* JobStore]
        const before = Effect.andThen(awake.await, meanwhile.before)
        return Context.mergeAll(
          Context.make(ConnectionStore, waiting(connections, before)),
          Context.make(DocumentStore, waiting(documents, before)),
          Context.make(JobStore, waiting(jobs, awake.await))
        )
      }))
      const services = yield* Layer.build(Layer.provide(node(source), stores))
      yield* Effect.addFinalizer(() => awake.open)
      return { awake, services }
    })
    return Effect.gen(function*() {
      for (let at = 0; at < 24; at++) source.put("notes", nameOf(at), "First.")
      for (let at = 0; at < 3; at++) source.put("other", nameOf(at), "First.")
      const { running, start, stop, wake, wakeAll } = yield* stoppableServers(startServer)
      const { id, workspace, workspaceId } = yield* Effect.provideContext(connected(), running[0]!.services)
      const on = <A, E>(
        act: Effect.Effect<A, E, Connections | Documents | Syncs | Workspaces>
      ) => Effect.suspend(() => Effect.exit(Effect.provideContext(act, running.at(-1)!.services)))
      const patch = (change: { status?: "active" | "paused"; sync_config?: SyncConfigPatch }) =>
        Effect.flatMap(Connections, (connections) => connections.update(workspace, id, change, OPERATOR))
      const limit = (documents: number | null) =>
        Effect.flatMap(Workspaces, (workspaces) => workspaces.update(workspaceId, { limits: { documents } }))
      const deleteNamed = (external_id: string) =>
        Effect.gen(function*() {
          const documents = yield* DocumentStore
          const found = yield* documents.findByExternalId(workspaceId, ConnectorId.make(id), external_id)
          if (Option.isNone(found)) return
          yield* on(
            Effect.flatMap(Documents, (documents) => documents.delete(workspace, found.value.document_id, OPERATOR))
          )
        })
      const perform = (
        { act, count, text, ...at }: Act
      ): Effect.Effect<unknown, unknown, Layer.Success<typeof store> | Scope.Scope> => {
        const resource = RESOURCES[at.resource]!
        const name = nameOf(at.name)
        const notes = source.resources.get(resource)
        switch (act) {
          case "put":
            for (let next = at.name; next <= at.name + count; next++) {
              source.put(resource, nameOf(next % NOTES), `Text ${text}.`)
            }
            return Effect.void
          case "remove":
            return Effect.sync(() => notes?.delete(name))
          case "remove many":
            for (const name of [...notes?.keys() ?? []].slice(0, 23)) notes!.delete(name)
            return Effect.void
          case "vanish":
            return Effect.sync(() => source.resources.delete(resource))
          case "appear":
            for (let next = 0; next < (at.resource === 0 ? 24 : 3); next++) source.put(resource, nameOf(next), "Again.")
            return Effect.void
          case "retryable":
            return Effect.sync(() => source.faults.set(name, Effect.fail(new RetryableFailure({ message: "Busy." }))))
          case "fatal":
            return Effect.sync(() => source.faults.set(name, Effect.fail(new FatalFailure({ message: "Broken." }))))
          case "slow":
            return Effect.sync(() => source.faults.set(name, Effect.sleep("8 seconds")))
          case "mend":
            source.endsEarly = false
            return Effect.sync(() => source.faults.clear())
          case "end early":
            return Effect.sync(() => source.endsEarly = true)
          case "refuse":
            return Effect.sync(() => source.password = "another password")
          case "accept":
            source.password = PASSWORD
            return on(patch({ status: "active" }))
          case "start":
            return on(Effect.flatMap(Syncs, (syncs) => syncs.start(workspaceId, id)))
          case "cancel":
            return on(Effect.flatMap(Syncs, (syncs) => syncs.cancel(workspaceId, id, resource)))
          case "pause":
            return on(patch({ status: "paused" }))
          case "activate":
            return on(patch({ status: "active" }))
          case "configure":
            return on(Effect.flatMap(Connections, (connections) =>
              connections.update(
                workspace,
                id,
                { config: { host: "notes.example", password: PASSWORD, depth: count } },
                OPERATOR
              )))
          case "interval":
            return on(patch({ sync_config: { interval_minutes: [30, 60, 600][text]! } }))
          case "confirm":
            return on(Effect.flatMap(Syncs, (syncs) => syncs.confirmDeletions(workspaceId, id, resource)))
          case "quota":
            return on(limit(3 + count * 3))
          case "no quota":
            return on(limit(null))
          case "delete":
            // It is changed, so that it is pulled again.
            return Effect.andThen(
              deleteNamed(`${resource}/${name}`),
              Effect.sync(() => notes?.has(name) && source.put(resource, name, `Text ${text}.`))
            )
          case "delete gone":
            return Effect.forEach(
              Array.from({ length: NOTES }, (_, index) => nameOf(index)).filter((name) => notes?.has(name) !== true),
              (name) => deleteNamed(`${resource}/${name}`)
            )
          case "stop":
            return stop
          case "start server":
            return start
          case "wake":
            return wake
        }
      }
      const context = yield* Effect.context<Layer.Success<typeof store> | Scope.Scope>()
      const run = (act: Act) => Effect.orDie(Effect.provideContext(Effect.suspend(() => perform(act)), context))
      for (const { calls, meanwhile: act, now, pause } of steps) {
        yield* run(now)
        meanwhile.plan(calls, Effect.uninterruptible(run(act)))
        if (typeof pause === "number") yield* settle(pause)
        else yield* Effect.andThen(leap(pause), settle(5))
      }
      meanwhile.cancel()
      yield* wakeAll
      source.faults.clear()
      Object.assign(source, { endsEarly: false, password: PASSWORD })
      if (source.resources.size === 0) source.put("other", "n00", "Again.")
      yield* on(limit(null))
      const states = Effect.gen(function*() {
        return yield* (yield* ConnectionStore).states(workspaceId, id)
      })
      const rested = Effect.andThen(leap("26 hours"), settle(20))
      yield* rested
      // Somebody sees the reasons, and acts on them. Everything else continues by itself.
      const { error, status } = Option.getOrThrow(yield* (yield* ConnectionStore).find(workspaceId, id))
      assert.strictEqual(error === null, status !== "error")
      if (status !== "active") yield* on(patch({ status: "active" }))
      const ended = (yield* states).filter((state) => state.status === "failed" && state.due_at === null)
      for (const { error, last_synced_at } of ended) assert.deepEqual([error, last_synced_at], ["Broken.", null])
      if (ended.length > 0) yield* on(Effect.flatMap(Syncs, (syncs) => syncs.start(workspaceId, id)))
      for (let day = 0; day < 3; day++) yield* rested

      const connections = yield* ConnectionStore
      const documents = yield* DocumentStore
      const connection = Option.getOrThrow(yield* connections.find(workspaceId, id))
      assert.deepInclude(connection, { status: "active", error: null })
      // One that is gone stays until its deletions are confirmed.
      const held = (yield* states).filter(({ deletions_held }) => deletions_held > 0).map(({ resource }) => resource)
      assert.sameMembers([...new Set([...connection.resources, ...held])], [
        ...new Set([...source.resources.keys(), ...held])
      ])
      const stored = yield* documents.list(workspaceId, ConnectorId.make(id), {
        externalId: null,
        after: null,
        limit: 500
      })
      const wanted = new Map<string, string>(
        [...source.resources].flatMap(([resource, notes]) =>
          [...notes].map(([name, text]) => [`${resource}/${name}`, text] as const)
        )
      )
      const marked: Array<string> = []
      for (const state of yield* states) {
        const gone = yield* connections.deletions(workspaceId, state, 500)
        assert.strictEqual(state.deletions_held, gone.length, `held of ${state.resource}`)
        marked.push(...gone)
        if (!connection.resources.includes(state.resource)) continue
        assert.deepInclude(
          state,
          { status: "completed", error: null, rejected: [], skipped: [], attempt: 0 },
          state.resource
        )
        assert.strictEqual(
          state.documents,
          stored.filter((one) => resourceOf(one) === state.resource).length,
          `documents of ${state.resource}`
        )
      }
      assert.sameMembers(stored.map(({ external_id }) => external_id), [...wanted.keys(), ...marked])
      for (const { document_id, external_id } of stored) {
        const text = wanted.get(external_id)
        if (text === undefined) continue
        const found = Option.getOrThrow(yield* documents.find(workspaceId, document_id))
        assert.include(found.chunks.join(""), text)
      }
      assert.deepStrictEqual(yield* documents.meters(workspaceId), {
        documents: stored.length,
        storage: stored.reduce((sum, { size }) => sum + size, 0)
      })
      const events = yield* documents.events(workspaceId, { since: 0, source: null, kind: null, limit: 5_000 })
      const present = new Map<string, string>()
      for (const { document_id, external_id, type } of events) {
        assert.strictEqual(present.get(external_id), type === "document.created" ? undefined : document_id)
        if (type === "document.deleted") present.delete(external_id)
        else present.set(external_id, document_id)
      }
      assert.deepStrictEqual(
        [...present].toSorted(),
        stored.map(({ document_id, external_id }) => [external_id, document_id]).toSorted()
      )
      const jobs = yield* JobStore
      for (const status of ["queued", "running"] as const) {
        assert.isEmpty(yield* jobs.list(workspaceId, SYNC_QUEUE, { status, after: null, limit: 10 }))
      }
    }).pipe(Effect.scoped, Effect.provide(store))
  },
  { arbitrary: { runs: extent(15, 200), size: 100, seed: 1 } }
)
