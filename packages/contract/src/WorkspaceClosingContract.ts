/** The contract of `WorkspaceStore` for closing and erasing a workspace. */
import { assert } from "@effect/vitest"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { WorkspaceId } from "@tributary/core/model/Id"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Duration, Effect, Option } from "effect"
import {
  freshSource,
  freshWorkspace,
  item,
  moment,
  newAccount,
  newConnector,
  newJob,
  newKey,
  newQueue,
  newUuid,
  newWorkspace,
  UNCAPPED
} from "./internal/fixtures.ts"
import { workspaceContents } from "./internal/workspaceContents.ts"
import type { Kit } from "./internal/Kit.ts"

const MINUTE = Duration.minutes(1)

/** A workspace with something of everything. */
const furnished = Effect.gen(function*() {
  const source = yield* freshSource
  const key = newKey()
  const hash = newUuid().replaceAll("-", "").repeat(2)
  yield* (yield* ApiKeyStore).insert(source.workspaceId, key, hash)
  yield* source.admit([item("a", "alpha"), item("b", "beta")])
  yield* source.remove(["b"])
  const knowledge = yield* KnowledgeStore
  yield* knowledge.configure(source.workspaceId, null, newJob(source.workspaceId, source.queue))
  yield* knowledge.putSegment(source.workspaceId, "segment", new Uint8Array([1]))
  return { ...source, hash, key, everything: workspaceContents(source.workspaceId, source.connector_id, source.queue) }
})

const NOTHING = {
  workspace: Option.none(),
  keys: [],
  connectors: [],
  connector: Option.none(),
  listed: [],
  documents: [],
  changes: [],
  events: [],
  meters: { documents: 0, storage: 0 },
  head: { settings: DEFAULT_SETTINGS, generation: 0, change_seq: 0, chunk_seq: 0, snapshot: null },
  pending: 0,
  jobs: []
}

export const workspaceClosingContract = (it: Kit): void => {
  it.effect("hides a closed workspace from every reading method at once, and no other one", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const [home, bystander] = [yield* furnished, yield* furnished]
      const before = yield* bystander.everything
      const [document] = yield* home.scan
      assert.isTrue(yield* store.close(home.workspaceId, newJob(home.workspaceId, newQueue())))
      assert.deepStrictEqual(yield* home.everything, NOTHING)
      const keys = yield* ApiKeyStore
      assert.isTrue(Option.isNone(yield* keys.authenticate(home.hash, moment())))
      assert.isTrue(Option.isNone(yield* keys.revoke(home.key.key_id, null, moment())))
      const documents = yield* DocumentStore
      assert.isTrue(Option.isNone(yield* documents.find(home.workspaceId, document!.document_id)))
      assert.isTrue(Option.isNone(yield* documents.findByExternalId(home.workspaceId, home.connector_id, "a")))
      const ref = { document_id: document!.document_id, change_seq: document!.change_seq, ordinal: 0 }
      assert.deepStrictEqual(yield* documents.passages(home.workspaceId, [ref], true), [])
      assert.isTrue(Option.isNone(yield* (yield* KnowledgeStore).getSegment(home.workspaceId, "segment")))
      assert.deepStrictEqual(yield* bystander.everything, before)
      assert.isTrue(Option.isSome(yield* keys.authenticate(bystander.hash, moment())))
    }))

  it.effect("changes nothing in a closed workspace", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const home = yield* furnished
      const account = newAccount()
      const [personal, made] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
      yield* store.createAccount(account, personal)
      yield* store.createShared(made, null, home.workspaceId)
      yield* store.close(home.workspaceId, newJob(home.workspaceId, newQueue()))
      assert.isTrue(Option.isNone(yield* store.update(home.workspaceId, { suspended: true })))
      assert.deepStrictEqual(yield* store.find(made.workspace_id), Option.some(made))
      const connectors = yield* ConnectorStore
      assert.notStrictEqual(yield* connectors.insert(home.workspaceId, newConnector(), 10), "inserted")
      const change = connectors.update(home.workspaceId, home.connector_id, { name: "back" })
      assert.isTrue(Option.isNone(yield* change))
      const documents = yield* DocumentStore
      const follow = newJob(home.workspaceId, home.queue)
      const admitted = documents.admit(home.workspaceId, home.origin, [item("c", "gamma")], {
        caps: UNCAPPED,
        now: moment(),
        follow
      })
      assert.isNull(yield* admitted)
      assert.deepStrictEqual(yield* home.remove(["a"]), [])
      assert.deepStrictEqual(yield* home.everything, NOTHING)
    }))

  it.effect("closes a workspace once, and frees its place in the allowance", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const account = newAccount()
      const personal = newWorkspace(account)
      const shared = newWorkspace(account, { kind: "shared" })
      yield* store.createAccount(account, personal)
      yield* store.createShared(shared, 1, null)
      const queue = newQueue()
      assert.isTrue(yield* store.close(shared.workspace_id, newJob(shared.workspace_id, queue)))
      assert.isFalse(yield* store.close(shared.workspace_id, newJob(shared.workspace_id, queue)))
      const jobs = yield* JobStore
      assert.isTrue(Option.isSome(yield* jobs.claim([queue], MINUTE, moment())))
      assert.isTrue(Option.isNone(yield* jobs.claim([queue], MINUTE, moment())))
      const page = { accountId: account.account_id, after: null, limit: 10 }
      assert.deepStrictEqual(yield* store.list(page), [personal])
      assert.deepStrictEqual(yield* store.list({ ...page, accountId: null, after: personal.workspace_id }), [])
      assert.strictEqual(yield* store.countShared(account.account_id), 0)
      assert.isTrue(yield* store.createShared(newWorkspace(account, { kind: "shared" }), 1, null))
    }))

  it.effect("cancels the jobs of a closed workspace and queues its erasure", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const home = yield* freshSource
      const { workspaceId, queue } = home
      const started = Effect.fnUntraced(function*(of: typeof workspaceId) {
        yield* jobs.enqueue(newJob(of, queue), null)
        return Option.getOrThrow(yield* jobs.claim([queue], MINUTE, moment()))
      })
      const [running, foreign] = [yield* started(workspaceId), yield* started((yield* freshSource).workspaceId)]
      yield* jobs.enqueue(newJob(workspaceId, queue), null)
      const erase = newJob(workspaceId, queue)
      yield* (yield* WorkspaceStore).close(workspaceId, erase)
      assert.isTrue(yield* jobs.heartbeat(foreign.job.job_id, foreign.lease, MINUTE, null))
      assert.isFalse(yield* jobs.heartbeat(running.job.job_id, running.lease, MINUTE, null))
      assert.isTrue(Option.isNone(yield* jobs.find(workspaceId, queue, running.job.job_id)))
      assert.isTrue(Option.isNone(yield* jobs.cancel(workspaceId, queue, erase.job_id, moment())))
      // By a request that was let in before the closing.
      assert.isTrue(Option.isNone(yield* jobs.enqueue(newJob(workspaceId, queue), null)))
      const claim = Option.getOrThrow(yield* jobs.claim([queue], MINUTE, moment()))
      assert.strictEqual(claim.job.job_id, erase.job_id)
      assert.isTrue(Option.isNone(yield* jobs.claim([queue], MINUTE, moment())))
    }))

  it.effect("queues no job for a workspace that is erased, or never was", () =>
    Effect.gen(function*() {
      const [jobs, store, workspaceId] = [yield* JobStore, yield* WorkspaceStore, yield* freshWorkspace]
      yield* store.close(workspaceId, newJob(workspaceId, newQueue()))
      yield* store.erase(workspaceId)
      for (const absent of [workspaceId, WorkspaceId.make(newUuid())]) {
        assert.isTrue(Option.isNone(yield* jobs.enqueue(newJob(absent, newQueue()), null)))
      }
    }))

  it.effect("erases a closed workspace, idempotently, while the erasing job continues", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const jobs = yield* JobStore
      const [home, bystander] = [yield* furnished, yield* furnished]
      const before = yield* bystander.everything
      const queue = newQueue()
      yield* store.close(home.workspaceId, newJob(home.workspaceId, queue))
      const { job, lease } = Option.getOrThrow(yield* jobs.claim([queue], MINUTE, moment()))
      yield* store.erase(home.workspaceId)
      yield* store.erase(home.workspaceId)
      assert.isTrue(yield* jobs.heartbeat(job.job_id, lease, MINUTE, null))
      assert.isTrue(yield* jobs.finish(job.job_id, lease, { _tag: "Succeeded", result: null }, moment()))
      assert.deepStrictEqual(yield* home.everything, NOTHING)
      assert.isTrue(Option.isNone(yield* jobs.claim([home.queue], MINUTE, moment(3_600_000))))
      assert.deepStrictEqual(yield* bystander.everything, before)
    }))

  it.effect("does not erase an open workspace", () =>
    Effect.gen(function*() {
      const home = yield* furnished
      const before = yield* home.everything
      yield* (yield* WorkspaceStore).erase(home.workspaceId)
      assert.deepStrictEqual(yield* home.everything, before)
    }))
}
