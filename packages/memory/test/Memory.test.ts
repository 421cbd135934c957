import { assert, it } from "@effect/vitest"
import { backendContract } from "@tributary/contract/backendContract"
import { AccountId, ConnectorId, DocumentId, EventId, JobId, SnapshotId, WorkspaceId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore, type NewJob } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { layer } from "@tributary/memory/Memory"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"

const uncalled = new Set<string>()

/** A port that notes which of its methods are called. */
const noting = (name: string, port: object): object =>
  Object.fromEntries(
    Object.entries(port).map(([method, member]) => {
      if (typeof member !== "function") return [method, member]
      const path = `${name.split("/").at(-1)}.${method}`
      uncalled.add(path)
      return [method, (...args: ReadonlyArray<unknown>) => {
        uncalled.delete(path)
        return member(...args)
      }]
    })
  )

const noted = Effect.map(
  Layer.build(layer),
  ({ mapUnsafe }) =>
    Context.makeUnsafe<Layer.Success<typeof layer>>(
      new Map(Array.from(mapUnsafe, ([name, port]) => [name, noting(name, port)]))
    )
)

backendContract("memory", Layer.effectContext(noted))

// The other backends check the plans of what the kit does, and only of that.
it("the kit calls every method of every port", () => assert.deepStrictEqual([...uncalled], []))

const NOW = "2026-03-01T12:00:00.000Z"
const uuid = (): string => crypto.randomUUID()

/** Changes everything below a value that can be changed. */
const spoil = (value: unknown): void => {
  if (Option.isOption(value)) spoil(Option.getOrThrow(value))
  else if (value instanceof Date) value.setTime(0)
  else if (value instanceof Uint8Array) value.fill(0)
  else if (Array.isArray(value)) {
    for (const element of value) spoil(element)
    // What is frozen may be shared.
    if (!Object.isFrozen(value)) value.push("spoilt")
  } else if (typeof value === "object" && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      spoil(field)
      if (typeof field === "string") Reflect.set(value, key, "spoilt")
    }
  }
}

it.layer(layer)("Memory", (it) => {
  it.effect("shares no mutable data with its callers", () =>
    Effect.gen(function*() {
      const [connectors, documents, jobs] = [yield* ConnectorStore, yield* DocumentStore, yield* JobStore]
      const [knowledge, workspaces] = [yield* KnowledgeStore, yield* WorkspaceStore]
      const [accountId, workspaceId] = [AccountId.make(uuid()), WorkspaceId.make(uuid())]
      const [connectorId, documentId, jobId] = [ConnectorId.make(uuid()), DocumentId.make(uuid()), JobId.make(uuid())]
      const job: NewJob = {
        job_id: jobId,
        workspace_id: workspaceId,
        queue: "q",
        key: "k",
        payload: "{}",
        created_at: new Date(NOW),
        run_at: new Date(NOW),
        max_attempts: 1,
        deadline_seconds: 1,
        joins: false,
        trace: null
      }
      const account = {
        account_id: accountId,
        name: "a",
        email: null,
        tier: "free" as const,
        created_at: new Date(NOW)
      }
      const workspace = {
        workspace_id: workspaceId,
        account_id: accountId,
        name: "w",
        kind: "personal" as const,
        tier: "free" as const,
        created_at: new Date(NOW),
        grandfathered: false,
        suspended: false,
        overrides: { ask: { limit: 1, window_seconds: 1 } }
      }
      const connector = {
        connector_id: connectorId,
        name: "c",
        source_name: "c",
        created_at: new Date(NOW),
        created_by: { ...OPERATOR },
        is_active: true,
        accepted_kinds: ["page"],
        metadata: { a: "1" }
      }
      const admission = {
        external_id: "e",
        document_id: documentId,
        event_id: EventId.make(uuid()),
        kind: "page",
        title: null,
        url: null,
        size: 1,
        chunks: ["text"],
        payload: null,
        timestamp: new Date(NOW),
        ends_at: new Date(NOW),
        metadata: { a: "1" },
        fingerprint: "f",
        oversized: false
      }
      const bytes = new Uint8Array([7, 8, 9])
      const snapshot = {
        snapshot_id: SnapshotId.make(uuid()),
        change_seq: 1,
        chunk_seq: 0,
        generation: 0,
        settings: structuredClone(DEFAULT_SETTINGS),
        built_at: new Date(NOW),
        watermark: new Date(NOW),
        segments: [{ segment_id: "s", chunks: 1, bytes: 3, masked: [1] }]
      }
      const now = new Date(NOW)
      const caps = { documents: null, storage: null }
      yield* workspaces.createAccount(account, workspace)
      yield* connectors.insert(workspaceId, connector, 1)
      const items = [admission]
      yield* documents.admit(workspaceId, { connector_id: connectorId, source: "custom:c" }, items, {
        caps,
        now,
        follow: job
      })
      yield* knowledge.putSegment(workspaceId, "s", bytes)
      yield* knowledge.publish(workspaceId, snapshot, { previous: null, replaces: false, keep: 1 })

      const page = { limit: 9, after: null, since: 0, source: null, kind: null, status: null, externalId: null }
      const everything = Effect.all([
        workspaces.findAccount(accountId),
        workspaces.list({ ...page, accountId }),
        connectors.list(workspaceId, true),
        connectors.find(workspaceId, connectorId),
        documents.find(workspaceId, documentId),
        documents.list(workspaceId, connectorId, page),
        documents.scan(workspaceId, null, 9),
        documents.changes(workspaceId, 0, 9),
        documents.passages(workspaceId, [{ document_id: documentId, change_seq: 1, ordinal: 0 }], true),
        documents.events(workspaceId, page),
        documents.meters(workspaceId),
        knowledge.head(workspaceId),
        knowledge.getSegment(workspaceId, "s"),
        jobs.find(workspaceId, "q", jobId),
        jobs.list(workspaceId, "q", page)
      ])
      const before = JSON.stringify(yield* everything)
      assert.isTrue(before.includes(NOW))
      for (const given of [account, workspace, connector, items, bytes, snapshot, job, now]) spoil(given)
      assert.strictEqual(JSON.stringify(yield* everything), before)
      for (const returned of yield* everything) {
        spoil(returned)
      }
      assert.strictEqual(JSON.stringify(yield* everything), before)
    }))

  it.effect("has separate state in every layer that is built", () =>
    Effect.gen(function*() {
      const page = { accountId: null, after: null, limit: 1 }
      assert.strictEqual((yield* (yield* WorkspaceStore).list(page)).length, 1)
      const apart = Effect.flatMap(WorkspaceStore, (store) => store.list(page))
      assert.deepStrictEqual(yield* Effect.provide(apart, layer, { local: true }), [])
    }))

  it.effect("keeps counting in open windows while it removes thousands of expired ones", () =>
    Effect.gen(function*() {
      const windows = yield* RateWindows
      const open = WorkspaceId.make(uuid())
      const day = { limit: 10, window_seconds: 86_400 }
      yield* windows.take(open, "ask", day)
      const short = { limit: 10, window_seconds: 1 }
      for (let index = 0; index < 5_000; index++) {
        yield* windows.take(WorkspaceId.make(uuid()), "ask", short)
        if (index % 500 === 0) yield* TestClock.adjust("2 seconds")
      }
      assert.strictEqual((yield* windows.take(open, "ask", day)).count, 2)
    }))
})
