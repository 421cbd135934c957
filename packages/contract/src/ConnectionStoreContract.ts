/** The contract of `ConnectionStore`. */
import { assert } from "@effect/vitest"
import { ConnectorId, JobId } from "@tributary/core/model/Id"
import { type ConnectionFrom, ConnectionStore, type SyncRecord } from "@tributary/core/ports/ConnectionStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { addStates, connected, newConnection, newState } from "./internal/connections.ts"
import {
  fiftyTimes,
  freshWorkspace,
  item,
  moment,
  newConnector,
  newJob,
  newQueue,
  newUuid,
  UNCAPPED
} from "./internal/fixtures.ts"
import type { Kit } from "./internal/Kit.ts"

export const connectionStoreContract = (it: Kit) => {
  it.effect("returns what was inserted, unchanged, and hides it from every other workspace", () =>
    Effect.gen(function*() {
      const { connection, id, store, workspaceId } = yield* connected
      const stranger = yield* freshWorkspace
      assert.deepStrictEqual(yield* store.find(workspaceId, id), Option.some(connection))
      assert.deepStrictEqual(yield* store.list(workspaceId), [connection])
      assert.isTrue(Option.isNone(yield* store.find(stranger, id)))
      assert.deepStrictEqual(yield* store.list(stranger), [])
      assert.isTrue(Option.isNone(yield* store.update(stranger, id, { name: "stolen" }, {})))
      assert.isFalse(yield* store.remove(stranger, id))
      yield* addStates(stranger, [newState(connection)])
      assert.deepStrictEqual(yield* store.states(workspaceId, id), [])
    }))

  it.effect("has the states of its resources from the beginning, and those of new ones with the change", () =>
    Effect.gen(function*() {
      const store = yield* ConnectionStore
      const workspaceId = yield* freshWorkspace
      const connection = newConnection()
      const id = connection.connection_id
      const [inbox, sent] = [newState(connection), newState(connection, { resource: "Sent, \"old\" {x}" })]
      const states = Effect.map(
        store.states(workspaceId, id),
        (all) => all.map(({ items_ingested, resource }) => [resource, items_ingested])
      )
      yield* store.insert(workspaceId, newConnection(), 1)
      assert.strictEqual(yield* store.insert(workspaceId, connection, 1, [inbox]), "full")
      assert.deepStrictEqual(yield* states, [])
      yield* store.insert(workspaceId, connection, 2, [inbox])
      assert.deepStrictEqual(yield* store.findState(workspaceId, inbox), Option.some(inbox))
      const more = [newState(connection, { items_ingested: 0 }), sent]
      yield* store.update(workspaceId, id, {}, { revision: 9 }, more)
      assert.deepStrictEqual(yield* states, [["INBOX", 7]])
      yield* store.update(workspaceId, id, {}, {}, more)
      assert.deepStrictEqual(yield* states, [["INBOX", 7], [sent.resource, 7]])
    }))

  it.effect("lists newest first, and enforces the maximum, even concurrently", () =>
    Effect.gen(function*() {
      const store = yield* ConnectionStore
      const workspaceId = yield* freshWorkspace
      const answers = yield* fiftyTimes((index) =>
        store.insert(workspaceId, newConnection({ connected_at: moment(index) }), 5)
      )
      assert.strictEqual(answers.filter((answer) => answer === "inserted").length, 5)
      const times = (yield* store.list(workspaceId)).map(({ connected_at }) => connected_at.getTime())
      assert.deepStrictEqual(times, times.toSorted((a, b) => b - a))
    }))

  it.effect("changes only the given fields, and only from the given status, revision and sync settings", () =>
    Effect.gen(function*() {
      const { connection, id, store, workspaceId } = yield* connected
      const { sync_config } = connection
      const change = { secrets: null, error: "It refused.", status: "error", resources: ["New"], revision: 3 } as const
      const expected = { ...connection, ...change }
      assert.deepStrictEqual(
        yield* store.update(workspaceId, id, change, { status: "active", revision: 0, sync_config }),
        Option.some(expected)
      )
      const past: ReadonlyArray<ConnectionFrom> = [
        { status: "active" },
        { revision: 0 },
        { status: "error", revision: 0 },
        { status: "error", revision: 3, sync_config: { ...sync_config, interval_minutes: 16 } }
      ]
      for (const from of past) {
        assert.isTrue(Option.isNone(yield* store.update(workspaceId, id, { name: "late" }, from)))
      }
      assert.deepStrictEqual(yield* store.find(workspaceId, id), Option.some(expected))
    }))

  it.effect("encrypts secrets again only if they have not changed, and only in their workspace", () =>
    Effect.gen(function*() {
      const { connection, id, store, workspaceId } = yield* connected
      const before = connection.secrets!
      const stranger = yield* freshWorkspace
      assert.isFalse(yield* store.reseal(stranger, id, before, "stolen"))
      assert.isFalse(yield* store.reseal(workspaceId, id, "others", "late"))
      assert.isTrue(yield* store.reseal(workspaceId, id, before, "newer"))
      assert.isFalse(yield* store.reseal(workspaceId, id, before, "late"))
      const expected = { ...connection, secrets: "newer" }
      assert.deepStrictEqual(yield* store.find(workspaceId, id), Option.some(expected))
    }))

  it.effect("has an origin of documents that is not listed or counted as a connector", () =>
    Effect.gen(function*() {
      const { admit, id, origin, queue, store, workspaceId } = yield* connected
      const connectors = yield* ConnectorStore
      assert.deepStrictEqual(yield* connectors.list(workspaceId, true), [])
      assert.isTrue(Option.isNone(yield* connectors.find(workspaceId, origin.connector_id)))
      assert.isTrue(Option.isNone(yield* connectors.update(workspaceId, origin.connector_id, { is_active: false })))
      assert.strictEqual(yield* connectors.insert(workspaceId, newConnector(), 1), "inserted")
      assert.isArray(yield* admit("INBOX/1"))
      yield* store.update(workspaceId, id, { status: "paused" }, {})
      assert.isNull(yield* admit("INBOX/2"))
      yield* store.update(workspaceId, id, { status: "error" }, {})
      assert.isArray(yield* admit("INBOX/2"))
      assert.isTrue(yield* store.remove(workspaceId, id))
      assert.isFalse(yield* store.remove(workspaceId, id))
      assert.isNull(yield* admit("INBOX/3"))
      const documents = yield* DocumentStore
      assert.strictEqual((yield* documents.meters(workspaceId)).documents, 2)
      const until = Number.MAX_SAFE_INTEGER
      const selection = { connector_id: origin.connector_id, first: 10, until }
      const removed = yield* documents.remove(workspaceId, selection, moment(), newJob(workspaceId, queue))
      assert.strictEqual(removed.length, 2)
    }))

  it.effect("stores one state per resource, and lists them without their cursors", () =>
    Effect.gen(function*() {
      const { connection, states, store, workspaceId } = yield* connected
      const sent = newState(connection, {
        resource: "A sent",
        cursor: "NUL \u0000 and half a pair \ud800",
        due_at: null
      })
      const inbox = newState(connection)
      yield* addStates(workspaceId, [inbox, sent])
      yield* addStates(workspaceId, [newState(connection, { items_ingested: 0 })])
      const saved = { ...inbox, cursor: null }
      assert.isTrue(yield* store.saveState(workspaceId, saved, null, null))
      for (const state of [saved, sent]) {
        assert.deepStrictEqual(yield* store.findState(workspaceId, state), Option.some(state))
      }
      const without = ({ cursor: _c, ...state }: SyncRecord) => state
      assert.deepStrictEqual(yield* states(), [without(sent), without(saved)])
      assert.isTrue(Option.isNone(yield* store.findState(workspaceId, { ...inbox, resource: "Sent" })))
      assert.isTrue(Option.isNone(yield* store.findState(yield* freshWorkspace, inbox)))
    }))

  it.effect("saves a state only if the expected one is stored", () =>
    Effect.gen(function*() {
      const { connection, inbox, queue, store, workspaceId } = yield* connected
      const state = newState(connection)
      yield* addStates(workspaceId, [state])
      const jobs = yield* JobStore
      const saved = yield* fiftyTimes((index) => {
        const job = newJob(workspaceId, queue, { job_id: JobId.make(newUuid()) })
        const next = newState(connection, {
          job_id: job.job_id,
          status: "pending",
          items_ingested: index,
          due_at: null
        })
        return store.saveState(workspaceId, next, null, job)
      })
      assert.strictEqual(saved.filter((done) => done).length, 1)
      const all = { status: null, after: null, limit: 100 }
      assert.strictEqual((yield* jobs.list(workspaceId, queue, all)).length, 1)
      const held = yield* inbox
      const holder = held.job_id
      // Its job still waits, so no other sync may follow; the holder itself continues.
      const follow = newJob(workspaceId, queue)
      assert.isFalse(yield* store.saveState(workspaceId, { ...held, job_id: follow.job_id }, holder, follow))
      assert.isTrue(yield* store.saveState(workspaceId, { ...held, status: "running" }, holder, null))
      const stranger = yield* freshWorkspace
      assert.isFalse(yield* store.saveState(stranger, { ...held, cursor: "stolen" }, holder, null))
      yield* jobs.cancel(workspaceId, queue, holder!, moment())
      assert.isTrue(yield* store.saveState(workspaceId, { ...held, job_id: follow.job_id }, holder, follow))
    }))

  it.effect("queues a sync behind one that has its result, even before its job has ended", () =>
    Effect.gen(function*() {
      const { connection, inbox, queue, store, workspaceId } = yield* connected
      const jobs = yield* JobStore
      const [job, follow] = [newJob(workspaceId, queue), newJob(workspaceId, queue)]
      const done = newState(connection, { status: "completed", job_id: job.job_id })
      yield* jobs.enqueue(job, null)
      yield* addStates(workspaceId, [done])
      const next = { ...done, status: "pending", job_id: follow.job_id, due_at: null } as const
      assert.isTrue(yield* store.saveState(workspaceId, next, job.job_id, follow))
      assert.deepStrictEqual(yield* inbox, next)
      assert.strictEqual((yield* jobs.list(workspaceId, queue, { status: "queued", after: null, limit: 9 })).length, 2)
    }))

  it.effect("lists states that are due, and states that are running without a job", () =>
    Effect.gen(function*() {
      const { connection, id, store, workspaceId } = yield* connected
      const ours = (now: number) =>
        Effect.map(store.due(moment(now), 10_000), (due) =>
          due.filter(({ connection_id }) => connection_id === id).map(({ resource }) => resource).sort())
      const second = connection.resources[1]!
      const former = "not pulled any more"
      const lost = { status: "running", job_id: JobId.make(newUuid()), due_at: null } as const
      yield* addStates(workspaceId, [
        newState(connection, { due_at: moment(60_000) }),
        newState(connection, { resource: second, ...lost }),
        newState(connection, { resource: former, due_at: moment(0) })
      ])
      assert.deepStrictEqual(yield* ours(59_999), [former, second].sort())
      assert.deepStrictEqual(yield* ours(60_000), ["INBOX", former, second].sort())
      assert.strictEqual((yield* store.due(moment(60_000), 1)).length, 1)
      const workspaces = yield* WorkspaceStore
      yield* workspaces.update(workspaceId, { suspended: true })
      assert.deepStrictEqual(yield* ours(60_000), [])
      yield* workspaces.update(workspaceId, { suspended: false })
      assert.deepStrictEqual(yield* ours(60_000), ["INBOX", former, second].sort())
      yield* store.update(workspaceId, id, { status: "paused" }, {})
      assert.deepStrictEqual(yield* ours(60_000), [])
      yield* store.remove(workspaceId, id)
    }))

  it.effect("lists a running state as due when its job has ended, and one that has its result never by its job", () =>
    Effect.gen(function*() {
      const { connection, id, queue, store, workspaceId } = yield* connected
      const jobs = yield* JobStore
      const job = newJob(workspaceId, queue)
      yield* jobs.enqueue(job, null)
      const done = { status: "completed", job_id: JobId.make(newUuid()), due_at: null } as const
      yield* addStates(workspaceId, [
        newState(connection, { status: "running", job_id: job.job_id, due_at: null }),
        newState(connection, { resource: connection.resources[1]!, ...done })
      ])
      const ours = Effect.map(
        store.due(moment(), 10_000),
        (due) => due.filter(({ connection_id }) => connection_id === id).map(({ resource }) => resource)
      )
      assert.deepStrictEqual(yield* ours, [])
      yield* jobs.cancel(workspaceId, queue, job.job_id, moment())
      assert.deepStrictEqual(yield* ours, ["INBOX"])
      yield* store.remove(workspaceId, id)
      assert.deepStrictEqual(yield* store.states(workspaceId, id), [])
    }))

  it.effect("admits nothing through a connection that is paused from the beginning", () =>
    Effect.gen(function*() {
      const [documents, store, workspaceId] = [yield* DocumentStore, yield* ConnectionStore, yield* freshWorkspace]
      const connection = newConnection({ status: "paused" })
      yield* store.insert(workspaceId, connection, 10)
      const origin = { connector_id: ConnectorId.make(connection.connection_id), source: "mail" }
      const follow = newJob(workspaceId, newQueue())
      assert.isNull(
        yield* documents.admit(workspaceId, origin, [item("a", "a")], { caps: UNCAPPED, now: moment(), follow })
      )
    }))

  it.effect("marks stored documents as deleted once each, until they reappear", () =>
    Effect.gen(function*() {
      const { admit, id, store, workspaceId } = yield* connected
      const of = { connection_id: id, resource: "INBOX" }
      yield* admit("INBOX/1", "INBOX/2", "INBOX/3 {\",}")
      yield* (yield* connected).admit("INBOX/absent")
      const gone = ["INBOX/3 {\",}", "INBOX/1", "INBOX/2", "INBOX/absent"]
      yield* store.noteDeletions(workspaceId, of, { gone, there: [] })
      yield* store.noteDeletions(workspaceId, of, { gone: ["INBOX/1"], there: ["INBOX/2"] })
      assert.deepStrictEqual(yield* store.deletions(workspaceId, of, 10), ["INBOX/1", "INBOX/3 {\",}"])
      assert.deepStrictEqual(yield* store.deletions(workspaceId, of, 1), ["INBOX/1"])
      assert.strictEqual(yield* store.countDeletions(workspaceId, of), 2)
      const stranger = yield* freshWorkspace
      yield* store.noteDeletions(stranger, of, { gone: ["INBOX/2"], there: ["INBOX/1"] })
      assert.strictEqual(yield* store.countDeletions(workspaceId, of), 2)
      assert.strictEqual(yield* store.countDeletions(stranger, of), 0)
      assert.strictEqual(yield* store.countDeletions(workspaceId, { ...of, resource: "Sent" }), 0)
      yield* store.remove(workspaceId, id)
      assert.strictEqual(yield* store.countDeletions(workspaceId, of), 0)
    }))

  it.effect("counts and lists no marks of documents that were deleted otherwise", () =>
    Effect.gen(function*() {
      const { admit, id, origin: { connector_id }, store, workspaceId } = yield* connected
      const documents = yield* DocumentStore
      const of = { connection_id: id, resource: "INBOX" }
      const external_ids = ["INBOX/1", "INBOX/2"]
      yield* admit(...external_ids, "INBOX/3")
      yield* store.noteDeletions(workspaceId, of, { gone: [...external_ids, "INBOX/3"], there: [] })
      yield* documents.remove(workspaceId, { connector_id, external_ids }, moment(), newJob(workspaceId, newQueue()))
      assert.deepStrictEqual(yield* store.deletions(workspaceId, of, 10), ["INBOX/3"])
      assert.strictEqual(yield* store.countDeletions(workspaceId, of), 1)
    }))

  it.effect("removes those documents that are still marked, with their marks", () =>
    Effect.gen(function*() {
      const { admit, id, origin: { connector_id }, store, workspaceId } = yield* connected
      const documents = yield* DocumentStore
      const of = { connection_id: id, resource: "INBOX" }
      const externalIds = ["INBOX/1", "INBOX/2", "INBOX/3 {\",}"]
      const remove = (gone: ReadonlyArray<string>, resource = "INBOX", from = workspaceId) =>
        Effect.map(
          documents.remove(from, { connector_id, resource, gone }, moment(), newJob(from, newQueue())),
          (removed) => removed.map(({ external_id }) => external_id).sort()
        )
      yield* admit(...externalIds)
      yield* store.noteDeletions(workspaceId, of, { gone: externalIds, there: [] })
      yield* store.noteDeletions(workspaceId, of, { gone: [], there: ["INBOX/2"] })
      assert.deepStrictEqual(yield* remove(externalIds, "Sent"), [])
      assert.deepStrictEqual(yield* remove(externalIds, "INBOX", yield* freshWorkspace), [])
      assert.deepStrictEqual(yield* store.deletions(workspaceId, of, 10), ["INBOX/1", "INBOX/3 {\",}"])
      assert.deepStrictEqual(yield* remove(["INBOX/1", "INBOX/2"]), ["INBOX/1"])
      assert.deepStrictEqual(yield* store.deletions(workspaceId, of, 10), ["INBOX/3 {\",}"])
      assert.deepStrictEqual(yield* remove(externalIds), ["INBOX/3 {\",}"])
      assert.deepStrictEqual(yield* remove(externalIds), [])
      assert.deepInclude(yield* documents.meters(workspaceId), { documents: 1 })
    }))

  it.effect("is deleted with its workspace", () =>
    Effect.gen(function*() {
      const { admit, connection, id, queue, store, workspaceId } = yield* connected
      const workspaces = yield* WorkspaceStore
      yield* addStates(workspaceId, [newState(connection, { due_at: moment(0) })])
      yield* admit("INBOX/1")
      yield* store.noteDeletions(workspaceId, { connection_id: id, resource: "INBOX" }, {
        gone: ["INBOX/1"],
        there: []
      })
      yield* workspaces.close(workspaceId, newJob(workspaceId, queue))
      const isGone = Effect.gen(function*() {
        assert.isTrue(Option.isNone(yield* store.find(workspaceId, id)))
        assert.deepStrictEqual(yield* store.states(workspaceId, id), [])
        assert.strictEqual(yield* store.countDeletions(workspaceId, { connection_id: id, resource: "INBOX" }), 0)
        assert.notInclude((yield* store.due(moment(0), 10_000)).map(({ connection_id }) => connection_id), id)
      })
      yield* isGone
      yield* workspaces.erase(workspaceId)
      yield* isGone
      assert.strictEqual(yield* store.insert(workspaceId, newConnection(), 10), "full")
    }))

  it.effect("lists the external ids of one resource, in pages", () =>
    Effect.gen(function*() {
      const { admit, origin, workspaceId } = yield* connected
      const documents = yield* DocumentStore
      yield* admit("INBOX/2", "INBOX/10", "INBOX/😀", "INBOX", "INBOX-old/1", "INBOX0", "Sent/1")
      const page = (after: string | null, limit: number, of = workspaceId) =>
        Effect.map(
          documents.externalIds(of, origin.connector_id, { prefix: "INBOX/", after, limit }),
          (found) => found.map(({ external_id }) => external_id)
        )
      assert.deepStrictEqual(yield* page(null, 10), ["INBOX/10", "INBOX/2", "INBOX/😀"])
      assert.deepStrictEqual(yield* page(null, 2), ["INBOX/10", "INBOX/2"])
      assert.deepStrictEqual(yield* page("INBOX/2", 2), ["INBOX/😀"])
      assert.deepStrictEqual(yield* page(null, 10, yield* freshWorkspace), [])
      yield* admit("INBOX/11")
      const removal = { connector_id: origin.connector_id, external_ids: ["INBOX/2"] }
      yield* documents.remove(workspaceId, removal, moment(), newJob(workspaceId, newQueue()))
      assert.deepStrictEqual(yield* page(null, 10), ["INBOX/10", "INBOX/11", "INBOX/😀"])
    }))

  it.effect("orders resources and external ids by code points", () =>
    Effect.gen(function*() {
      const { admit, connection, id, origin, states, store, workspaceId } = yield* connected
      const names = ["A", "a", "\u{ff5e}", "\u{1f600}"]
      const externalIds = names.map((name) => `INBOX/${name}`)
      yield* addStates(workspaceId, names.toReversed().map((resource) => newState(connection, { resource })))
      yield* admit(...externalIds.toReversed())
      const of = { connection_id: id, resource: "INBOX" }
      yield* store.noteDeletions(workspaceId, of, { gone: externalIds, there: [] })
      assert.deepStrictEqual((yield* states()).map(({ resource }) => resource), names)
      assert.deepStrictEqual(yield* store.deletions(workspaceId, of, 10), externalIds)
      const options = { prefix: "INBOX/", after: externalIds[1]!, limit: 10 }
      const found = yield* (yield* DocumentStore).externalIds(workspaceId, origin.connector_id, options)
      assert.deepStrictEqual(found.map(({ external_id }) => external_id), externalIds.slice(2))
    }))

  it.effect("counts the documents of a resource, without those of nested ones", () =>
    Effect.gen(function*() {
      const { admit, origin, workspaceId } = yield* connected
      const documents = yield* DocumentStore
      yield* admit(
        "INBOX/2",
        "INBOX/10",
        "INBOX/Work/1",
        "INBOX/Work/Old/1",
        "INBOX/W",
        "INBOX",
        "INBOX-old/1",
        "INBOX0"
      )
      const count = (prefix: string, except: ReadonlyArray<string>, of = workspaceId) =>
        documents.count(of, origin.connector_id, { prefix, except })
      assert.strictEqual(yield* count("INBOX/", []), 5)
      assert.strictEqual(yield* count("INBOX/", ["INBOX/Work/Old/", "INBOX/Work/"]), 3)
      assert.strictEqual(yield* count("INBOX/Work/", ["INBOX/Work/Old/"]), 1)
      assert.strictEqual(yield* count("Sent/", []), 0)
      assert.strictEqual(yield* count("INBOX/", [], yield* freshWorkspace), 0)
    }))
}
