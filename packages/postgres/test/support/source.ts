/** A workspace with one connector, and items to send through it. */
import type { StorageUnavailable } from "@tributary/core/model/Error"
import { AccountId, ConnectorId, DocumentId, EventId, JobId, WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { type Admission, type Caps, DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"

export const NOW = new Date("2026-03-01T12:00:00.000Z")

let made = 0

/** A UUIDv7, greater than all before it in this process. */
export const newUuid = (): string => {
  const millis = (Date.now() * 1_000 + ++made).toString(16).padStart(12, "0").slice(-12)
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

export const item = (external_id: string, text: string, fields?: Partial<Admission>): Admission => ({
  external_id,
  document_id: DocumentId.make(newUuid()),
  event_id: EventId.make(newUuid()),
  kind: "custom",
  title: null,
  url: null,
  size: text.length,
  chunks: [text],
  payload: null,
  timestamp: null,
  ends_at: null,
  metadata: {},
  fingerprint: text,
  oversized: false,
  ...fields
})

export const newJob = (workspace_id: WorkspaceId, fields?: Partial<NewJob>): NewJob => ({
  job_id: JobId.make(newUuid()),
  workspace_id,
  queue: "context",
  key: workspace_id,
  payload: "{}",
  created_at: NOW,
  run_at: NOW,
  max_attempts: 3,
  deadline_seconds: 60,
  joins: true,
  ...fields
})

export interface Source {
  readonly workspaceId: WorkspaceId
  readonly connectorId: ConnectorId
}

export const newSource: Effect.Effect<Source, StorageUnavailable, WorkspaceStore | ConnectorStore> = Effect.gen(
  function*() {
    const workspaceId = WorkspaceId.make(newUuid())
    const account_id = AccountId.make(newUuid())
    yield* (yield* WorkspaceStore).createAccount(
      { account_id, name: "Ada", email: null, tier: "pro", created_at: NOW },
      {
        workspace_id: workspaceId,
        account_id,
        name: "Home",
        kind: "personal",
        tier: "pro",
        created_at: NOW,
        grandfathered: false,
        suspended: false,
        overrides: {}
      }
    )
    const connectorId = ConnectorId.make(newUuid())
    yield* (yield* ConnectorStore).insert(workspaceId, {
      connector_id: connectorId,
      name: "Wiki",
      source_name: "wiki",
      created_at: NOW,
      created_by: OPERATOR,
      is_active: true,
      accepted_kinds: [],
      metadata: {}
    }, 10)
    return { workspaceId, connectorId }
  }
)

const UNCAPPED: Caps = { documents: null, storage: null }

/** The statuses of the items. */
export const admit = Effect.fnUntraced(function*(source: Source, items: ReadonlyArray<Admission>, caps = UNCAPPED) {
  const origin = { connector_id: source.connectorId, source: "custom:wiki" }
  const documents = yield* DocumentStore
  const verdicts = yield* documents.admit(source.workspaceId, origin, items, caps, NOW, newJob(source.workspaceId))
  return (verdicts === "behind" ? [] : verdicts ?? []).map(({ status }) => status)
})

export const remove = Effect.fnUntraced(
  function*({ connectorId, workspaceId }: Source, external_ids: ReadonlyArray<string>) {
    const documents = yield* DocumentStore
    return yield* documents.remove(workspaceId, { connector_id: connectorId, external_ids }, NOW, newJob(workspaceId))
  }
)
