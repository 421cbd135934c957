/** Test data. Each test uses its own workspace, so tests never interfere, not even while a failing value shrinks. */
import type { ApiKey } from "@tributary/core/model/ApiKey"
import type { Connector } from "@tributary/core/model/Connector"
import {
  AccountId,
  ApiKeyId,
  ConnectorId,
  DocumentId,
  EventId,
  InvitationId,
  JobId,
  SessionId,
  UserId,
  WorkspaceId
} from "@tributary/core/model/Id"
import type { Invitation, User } from "@tributary/core/model/Person"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { Session } from "@tributary/core/model/Session"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { type Admission, type Caps, DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { type AccountRecord, WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"

const NOON = Date.parse("2026-03-01T12:00:00.000Z")

/** A moment, some milliseconds after noon. */
export const moment = (millis = 0): Date => new Date(NOON + millis)

let made = Date.now()

/** The next UUIDv7: greater than all before it, those of earlier runs included. */
export const newUuid = (): string => {
  const millis = (++made).toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

export const UNCAPPED: Caps = { documents: null, storage: null }

/** A queue that no other test uses: claiming is across workspaces. */
export const newQueue = (): string => `queue-${newUuid()}`

export const newAccount = (): AccountRecord => ({
  account_id: AccountId.make(newUuid()),
  name: "Ada",
  email: null,
  tier: "free",
  created_at: moment()
})

export const newWorkspace = (account: AccountRecord, fields?: Partial<WorkspaceRecord>): WorkspaceRecord => ({
  workspace_id: WorkspaceId.make(newUuid()),
  account_id: account.account_id,
  name: "Home",
  kind: "personal",
  tier: account.tier,
  created_at: moment(),
  grandfathered: false,
  suspended: false,
  overrides: {},
  ...fields
})

export const newKey = (fields?: Partial<ApiKey>): ApiKey => ({
  key_id: ApiKeyId.make(newUuid()),
  name: "key",
  hint: "wxyz",
  scopes: ["api:read"],
  created_at: moment(),
  created_by: OPERATOR,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...fields
})

export const newConnector = (fields?: Partial<Connector>): Connector => {
  const uuid = newUuid()
  return {
    connector_id: ConnectorId.make(uuid),
    name: "Wiki",
    source_name: `wiki-${uuid}`,
    created_at: moment(),
    created_by: { type: "api_key", id: uuid },
    is_active: true,
    accepted_kinds: [],
    metadata: {},
    ...fields
  }
}

/** An item whose size is its text's length and whose fingerprint is its text. */
export const item = (external_id: string, text: string, fields?: Partial<Admission>): Admission => ({
  external_id,
  document_id: DocumentId.make(newUuid()),
  event_id: EventId.make(newUuid()),
  kind: "custom",
  title: null,
  url: null,
  size: text.length,
  chunks: text === "" ? [] : [text],
  payload: null,
  timestamp: null,
  ends_at: null,
  metadata: {},
  fingerprint: text,
  oversized: false,
  ...fields
})

export const newJob = (workspaceId: WorkspaceId, queue: string, fields?: Partial<NewJob>): NewJob => {
  const uuid = newUuid()
  return {
    job_id: JobId.make(uuid),
    workspace_id: workspaceId,
    queue,
    key: uuid,
    payload: "{}",
    created_at: moment(),
    run_at: moment(),
    max_attempts: 3,
    deadline_seconds: 60,
    joins: false,
    trace: null,
    ...fields
  }
}

/** The id of a workspace that was just made. */
export const freshWorkspace = Effect.gen(function*() {
  const account = newAccount()
  const workspace = newWorkspace(account)
  yield* (yield* WorkspaceStore).createAccount(account, workspace)
  return workspace.workspace_id
})

/** A fresh workspace with one connector, and its stores with the arguments filled in that seldom matter. */
export const freshSource = Effect.gen(function*() {
  const documents = yield* DocumentStore
  const workspaceId = yield* freshWorkspace
  const connector = newConnector()
  yield* (yield* ConnectorStore).insert(workspaceId, connector, 10)
  const { connector_id } = connector
  const origin = { connector_id, source: `custom:${connector.source_name}` }
  const queue = newQueue()
  const follow = () => newJob(workspaceId, queue)
  return {
    workspaceId,
    connector_id,
    origin,
    /** The queue of jobs that follow a change. */
    queue,
    admit: (items: ReadonlyArray<Admission>, caps: Caps = UNCAPPED, now = moment()) =>
      Effect.map(
        documents.admit(workspaceId, origin, items, { caps, now, follow: follow() }),
        (verdicts) => verdicts === "behind" ? [] : verdicts ?? []
      ),
    remove: (external_ids: ReadonlyArray<string>, now = moment()) =>
      documents.remove(workspaceId, { connector_id, external_ids }, now, follow()),
    scan: documents.scan(workspaceId, null, 1_000),
    events: documents.events(workspaceId, { since: 0, source: null, kind: null, limit: 1_000 })
  }
})

/** Runs an effect fifty times at once. */
export const fiftyTimes = <A, E, R>(effect: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: 50 }, (_, index) => index), effect, { concurrency: "unbounded" })

export const newHash = (): string => (newUuid() + newUuid()).replaceAll("-", "")

export const newEmail = (): string => `${newUuid()}@example.com`

export const newUser = (accountId: AccountId, fields?: Partial<User>): User => ({
  user_id: UserId.make(newUuid()),
  account_id: accountId,
  email: newEmail(),
  email_proof: "operator",
  name: "Ada",
  created_at: moment(),
  ...fields
})

export const newInvitation = (fields?: Partial<Invitation>): Invitation => ({
  invitation_id: InvitationId.make(newUuid()),
  email: newEmail(),
  role: "member",
  created_at: moment(),
  created_by: OPERATOR,
  expires_at: moment(1_000_000),
  ...fields
})

export const newSession = (fields?: Partial<Session>): Session => ({
  session_id: SessionId.make(newUuid()),
  created_at: moment(),
  last_seen_at: moment(),
  expires_at: moment(1_000_000),
  user_agent: "Firefox",
  address: "192.0.2.1",
  ...fields
})

/** An account with its owner, a personal workspace and a shared one. */
export const freshTeam = Effect.gen(function*() {
  const workspaces = yield* WorkspaceStore
  const account = newAccount()
  const [personal, shared] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
  yield* workspaces.createAccount(account, personal)
  const owner = newUser(account.account_id)
  yield* (yield* PeopleStore).owner(owner)
  yield* workspaces.createShared(shared, null, null)
  return { account, owner, personal, shared }
})
