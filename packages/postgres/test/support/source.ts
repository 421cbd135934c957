/** A workspace with one connector, and items to send through it. */
import type { StorageUnavailable } from "@tributary/core/model/Error"
import {
  AccountId,
  AuditEntryId,
  ConnectorId,
  DocumentId,
  EventId,
  InvitationId,
  JobId,
  SessionId,
  UserId,
  WorkspaceId
} from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { type Admission, type Caps, DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"

export const NOW = new Date("2026-03-01T12:00:00.000Z")

let made = 0

/** A UUIDv7, greater than all before it in this process. */
export const newUuid = (): string => {
  const millis = (Date.now() * 1_000 + ++made).toString(16).padStart(12, "0").slice(-12)
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

const newHash = (): string => (newUuid() + newUuid()).replaceAll("-", "")

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
  trace: null,
  ...fields
})

export interface Source {
  readonly accountId: AccountId
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
    return { accountId: account_id, workspaceId, connectorId }
  }
)

/** An owner who is signed in, an invited person, and an entry in the audit log. */
export const furnishPeople = Effect.fnUntraced(function*({ accountId, workspaceId }: Source) {
  const [people, sessions, audit] = [yield* PeopleStore, yield* SessionStore, yield* AuditStore]
  const later = new Date(NOW.getTime() + 86_400_000)
  const candidate = {
    user_id: UserId.make(newUuid()),
    account_id: accountId,
    email: `${accountId}@example.com`,
    email_proof: "operator" as const,
    name: "Ada",
    created_at: NOW
  }
  const owner = Option.getOrThrow(yield* people.owner(candidate))
  const link = newHash()
  yield* people.addLink(link, { user_id: owner.user_id }, later)
  const session = {
    session_id: SessionId.make(newUuid()),
    created_at: NOW,
    last_seen_at: NOW,
    expires_at: later,
    user_agent: null,
    address: null
  }
  const hash = newHash()
  yield* sessions.signIn(link, session, hash, { newUserId: UserId.make(newUuid()), maximum: 9 })
  yield* people.invite(workspaceId, {
    invitation_id: InvitationId.make(newUuid()),
    email: "bob@example.com",
    role: "member",
    created_at: NOW,
    created_by: OPERATOR,
    expires_at: later
  }, 10)
  yield* audit.append({
    entry_id: AuditEntryId.make(newUuid()),
    account_id: accountId,
    action: "workspace.renamed",
    actor: OPERATOR,
    workspace_id: workspaceId,
    subject: workspaceId,
    details: {},
    address: null,
    created_at: NOW
  })
  return owner
})

const UNCAPPED: Caps = { documents: null, storage: null }

/** The statuses of the items. */
export const admit = Effect.fnUntraced(function*(
  source: Omit<Source, "accountId">,
  items: ReadonlyArray<Admission>,
  caps = UNCAPPED
) {
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
