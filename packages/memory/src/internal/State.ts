/**
 * The shared state of all ports of one memory backend. JavaScript runs synchronous code atomically, so each step is
 * atomic.
 */
import { type ApiKey, type Day, keyOf } from "@tributary/core/model/ApiKey"
import type { Connector } from "@tributary/core/model/Connector"
import type {
  AccountId,
  ApiKeyId,
  ConnectionId,
  ConnectorId,
  QuestionId,
  UserId,
  WebhookId,
  WorkspaceId
} from "@tributary/core/model/Id"
import type { KnowledgeSettings } from "@tributary/core/model/KnowledgeSettings"
import type { Operator } from "@tributary/core/model/Operator"
import type { Membership } from "@tributary/core/model/Person"
import type { SyncRun } from "@tributary/core/model/SyncRun"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import type { SecretHash } from "@tributary/core/ports/ApiKeyStore"
import type { ConnectionRecord, SyncRecord } from "@tributary/core/ports/ConnectionStore"
import type { Snapshot } from "@tributary/core/ports/KnowledgeStore"
import type { LogLink } from "@tributary/core/ports/OperatorStore"
import type { WebhookRecord } from "@tributary/core/ports/WebhookStore"
import type { QuestionRecord } from "@tributary/core/ports/QuestionStore"
import type { UsageCount } from "@tributary/core/ports/UsageStore"
import type { AccountRecord } from "@tributary/core/ports/WorkspaceStore"
import { Context, Layer } from "effect"
import type { DeliveryTable } from "./DeliveryTable.ts"
import { DocumentTable } from "./DocumentTable.ts"
import { JobTable } from "./JobTable.ts"
import { byText, Ordered } from "./Ordered.ts"
import { PeopleTable } from "./PeopleTable.ts"

const isValid = ({ expires_at, revoked_at }: ApiKey, now: Date): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now)

export interface KeyRow {
  readonly hash: SecretHash
  readonly workspace: WorkspaceRow
  key: ApiKey
  /** Requests by day. */
  readonly traffic: Map<Day, number>
}

export interface Knowledge {
  settings: KnowledgeSettings | null
  generation: number
  runs: number
  /** The published one last. */
  snapshots: ReadonlyArray<Snapshot>
  readonly segments: Map<string, Uint8Array>
}

export interface ConnectionRow {
  connection: ConnectionRecord
  readonly states: Map<string, SyncRecord>
  /** By resource, the external ids of documents that are gone at the source. */
  readonly gone: Map<string, Set<string>>
  readonly runs: Ordered<SyncRun>
}

interface DayRow {
  readonly documents: number
  readonly storage: number
  /** By operation, outcome and bucket. */
  readonly counts: ReadonlyMap<string, UsageCount>
}

export interface QuestionRow {
  record: QuestionRecord
}

export interface WebhookRow {
  webhook: WebhookRecord
  dueAt: Date
  /** The newest event when it was last looked after. */
  seenSeq: number
  readonly deliveries: DeliveryTable
}

/** Everything of one open workspace but its jobs. */
export interface WorkspaceRow {
  record: WorkspaceRecord
  /** The workspace whose key made it. */
  readonly parent: WorkspaceId | null
  /** The one that it was suspended with. */
  suspendedWith: WorkspaceId | null
  readonly keys: Map<ApiKeyId, KeyRow>
  /** With the origins of connections. */
  readonly connectors: Map<ConnectorId, Connector>
  readonly connections: Map<ConnectionId, ConnectionRow>
  readonly documents: DocumentTable
  readonly webhooks: Map<WebhookId, WebhookRow>
  readonly knowledge: Knowledge
  readonly questions: Ordered<QuestionRow>
  /** In milliseconds. */
  questionsDeletedBefore: number
  /** Deleted one by one. */
  readonly removedQuestions: Set<QuestionId>
  readonly usage: Map<Day, DayRow>
}

const inOrder = (): Ordered<WorkspaceRow> =>
  new Ordered((left, right) => byText(left.record.workspace_id, right.record.workspace_id))

const make = () => {
  const workspaces = new Map<WorkspaceId, WorkspaceRow>()
  const ordered = inOrder()
  const ofAccounts = new Map<AccountId, Ordered<WorkspaceRow>>()
  const keys = new Map<ApiKeyId, KeyRow>()
  const keysByHash = new Map<SecretHash, KeyRow>()
  const people = new PeopleTable()

  /** The owner of the account's personal workspace owns every workspace of the account. */
  const own = ({ account_id, created_at, workspace_id }: WorkspaceRecord): void => {
    const personal = ofAccounts.get(account_id)?.where(({ record }) => record.kind === "personal", 1)
    for (const { record } of personal ?? []) {
      for (const [userId, { role }] of people.membersOf(record.workspace_id)) {
        if (role === "owner") people.membersOf(workspace_id).set(userId, { role, joined_at: new Date(created_at) })
      }
    }
  }

  /** Revokes the keys that a key created, recursively. */
  const revoke = (row: KeyRow, now: Date): void => {
    row.key = { ...row.key, revoked_at: row.key.revoked_at ?? new Date(now) }
    for (const made of keys.values()) {
      if (keyOf(made.key.created_by) === row.key.key_id) revoke(made, now)
    }
  }

  /**
   * Suspends the workspaces that keys of `parent` created, recursively, or lifts the suspension together with `root`.
   */
  const suspend = (parent: WorkspaceId, root: WorkspaceId, suspended: boolean): void => {
    for (const row of workspaces.values()) {
      if (row.parent !== parent) continue
      if (suspended && !row.record.suspended) {
        row.record = { ...row.record, suspended }
        row.suspendedWith = root
      } else if (!suspended && row.suspendedWith === root) {
        row.record = { ...row.record, suspended }
        row.suspendedWith = null
      }
      suspend(row.record.workspace_id, root, suspended)
    }
  }

  return {
    people,
    operators: new Map<SecretHash, Operator>(),
    /** The link with sequence 1 first. */
    operatorLog: new Array<LogLink>(),
    accounts: new Map<AccountId, AccountRecord>(),
    /** The open ones: a closed workspace is removed here, and so from every port. */
    workspaces: workspaces as ReadonlyMap<WorkspaceId, WorkspaceRow>,
    keys: keys as ReadonlyMap<ApiKeyId, KeyRow>,
    keysByHash: keysByHash as ReadonlyMap<SecretHash, KeyRow>,
    jobs: new JobTable((workspaceId) => workspaces.has(workspaceId)),
    /** The last batch of each writer of usage. */
    usageWriters: new Map<string, { readonly number: number; readonly day: Day }>(),

    membership: (userId: UserId, workspaceId: WorkspaceId): Membership | undefined => {
      const role = people.members.get(workspaceId)?.get(userId)?.role
      const workspace = workspaces.get(workspaceId)?.record
      return role && workspace && { workspace, role }
    },

    workspacesOf: (accountId: AccountId | null): Ordered<WorkspaceRow> =>
      accountId === null ? ordered : ofAccounts.get(accountId) ?? inOrder(),

    open: (given: WorkspaceRecord, parentId: WorkspaceId | null): void => {
      const parent = parentId === null ? undefined : workspaces.get(parentId)
      const isHeld = parent?.record.suspended === true
      const record = isHeld ? { ...given, suspended: true } : given
      const row: WorkspaceRow = {
        record,
        parent: parentId,
        suspendedWith: isHeld ? parent.suspendedWith ?? parentId : null,
        keys: new Map(),
        connectors: new Map(),
        connections: new Map(),
        documents: new DocumentTable(),
        webhooks: new Map(),
        knowledge: { settings: null, generation: 0, runs: 0, snapshots: [], segments: new Map() },
        usage: new Map(),
        questions: new Ordered((left, right) => byText(left.record.question_id, right.record.question_id)),
        questionsDeletedBefore: -Infinity,
        removedQuestions: new Set()
      }
      const siblings = ofAccounts.get(record.account_id) ?? inOrder()
      ofAccounts.set(record.account_id, siblings)
      siblings.add(row)
      ordered.add(row)
      workspaces.set(record.workspace_id, row)
      own(record)
    },

    revoke,

    suspend,

    close: (row: WorkspaceRow, now: Date): void => {
      for (const made of row.keys.values()) revoke(made, now)
      for (const { hash, key } of row.keys.values()) {
        keys.delete(key.key_id)
        keysByHash.delete(hash)
      }
      ordered.remove(row)
      ofAccounts.get(row.record.account_id)?.remove(row)
      workspaces.delete(row.record.workspace_id)
      people.close(row.record.workspace_id)
    },

    isValid,

    /** Whether the key that made this one is valid, if a key did. */
    mayBeMade: ({ created_at, created_by }: ApiKey): boolean => {
      const makerId = keyOf(created_by)
      const maker = makerId === null ? null : keys.get(makerId)
      return maker === null || (maker !== undefined && isValid(maker.key, created_at))
    },

    addKey: (row: KeyRow): void => {
      row.workspace.keys.set(row.key.key_id, row)
      keys.set(row.key.key_id, row)
      keysByHash.set(row.hash, row)
    }
  }
}

export class State extends Context.Service<State, ReturnType<typeof make>>()("@tributary/memory/State") {
  static readonly layer = Layer.sync(State, make)
}
