/** Accounts and workspaces on Postgres. */
import { type AccountRecord, WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { User } from "@tributary/core/model/Person"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Data, Effect, identity, Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { moment } from "./internal/moment.ts"
import { LEAST_ID, limitTo } from "./internal/page.ts"
import { insertKey } from "./PostgresApiKeyStore.ts"
import { deleteSteps, type Pruned, pruneSteps } from "./internal/pruning.ts"
import { execute, inTransaction, stored, transacted } from "./internal/storageErrors.ts"
import { toWorkspace, type WorkspaceColumns, workspaceColumns } from "./internal/rows/workspaceRows.ts"

interface Erased {
  readonly table: string
  /** The number of rows deleted at a time. */
  readonly step: number
  readonly only?: string
}

/** The number of documents deleted at a time, each with all of its text. */
const DOCUMENTS = 500

/** The tables of a workspace to erase, besides its documents. */
const ERASED: ReadonlyArray<Erased> = [
  { table: "tombstones", step: 5_000 },
  { table: "events", step: 5_000 },
  { table: "snapshots", step: 10 },
  { table: "segments", step: 50 },
  { table: "source_deletions", step: 5_000 },
  { table: "sync_states", step: 1_000 },
  { table: "sync_runs", step: 1_000 },
  { table: "connections", step: 1_000 },
  { table: "connectors", step: 1_000 },
  { table: "webhook_deliveries", step: 1_000 },
  { table: "webhooks", step: 1_000 },
  { table: "api_keys", step: 1_000 },
  { table: "questions", step: 1_000 },
  { table: "usage_counts", step: 500 },
  { table: "usage_days", step: 100 },
  // Late, as a request that waited for a window while the workspace was closed opens one.
  { table: "rate_windows", step: 100 },
  { table: "jobs", step: 1_000, only: "status <> 'running'" }
]

class Refused extends Data.TaggedError("Refused") {}

const refused = () => new Refused()

const openingIn = ({ our, sql }: Database["Service"]) => (workspace: WorkspaceRecord, parent: WorkspaceId | null) =>
  sql`${our("open_workspace_of")}(${workspace.workspace_id}::uuid, ${workspace.account_id}::uuid,
      ${workspace.name}::text, ${workspace.kind}::text, ${workspace.tier}::text,
      ${moment(workspace.created_at)}::timestamptz,
      ${workspace.grandfathered}::boolean, ${workspace.suspended}::boolean,
      ${JSON.stringify(workspace.overrides)}::text::jsonb, ${parent}::uuid)`

/** An account with its personal workspace, and its owner if one is given. */
export const openAccountIn = (database: Database["Service"]) => {
  const { our, sql } = database
  const opening = openingIn(database)
  return (account: AccountRecord, personal: WorkspaceRecord, owner?: User) => {
    const created = sql`WITH account AS (
          INSERT INTO ${our("accounts")} (account_id, name, email, tier, created_at)
          VALUES (${account.account_id}::uuid, ${account.name}::text, ${account.email}::text, ${account.tier}::text,
            ${moment(account.created_at)}::timestamptz)
        ) SELECT ${opening(personal, null)} AS opened`
    if (owner === undefined) return created
    const owned = sql`SELECT FROM ${our("own_account")}(${account.account_id}::uuid, ${owner.user_id}::uuid,
      ${owner.email}::text, ${owner.name}::text, ${moment(owner.created_at)}::timestamptz,
      ${owner.email_proof}::text)`
    return inTransaction(sql, Effect.andThen(created, owned))
  }
}

export const layer = Layer.effect(
  WorkspaceStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { our, sql } = database
    const { announcing } = yield* JobSignal
    const columns = workspaceColumns(database)
    const insert = insertKey(database)

    const opening = openingIn(database)
    const openAccount = openAccountIn(database)

    /** The first rows from the workspace on, in the order of an index: no plan takes them for most of the table. */
    const closed = (table: string, workspaceId: string, step: number, only = "true") =>
      sql`SELECT q.ctid FROM (
          SELECT ctid, workspace_id FROM ${our(table)}
            WHERE workspace_id >= ${workspaceId}::uuid AND ${sql.literal(only)}
            ORDER BY workspace_id ${limitTo(sql, step)}
        ) q
        WHERE q.workspace_id = ${workspaceId}::uuid
          AND NOT EXISTS (SELECT FROM ${our("workspaces")} WHERE workspace_id = ${workspaceId}::uuid)`

    /** Deletes rows of a closed workspace, this many at a time; each step checks again that it is closed. */
    const eraseFrom = (workspaceId: string, { only, step, table }: Erased) =>
      deleteSteps(sql, step, our(table), closed(table, workspaceId, step, only))

    /** The same for documents, each with its text. */
    const eraseDocuments = (workspaceId: string) =>
      pruneSteps(
        DOCUMENTS,
        sql<Pruned>`WITH gone AS (
            DELETE FROM ${our("documents")} WHERE ctid = ANY (ARRAY(
              ${closed("documents", workspaceId, DOCUMENTS)})) RETURNING document_id
          ), texts AS (
            DELETE FROM ${our("chunks")} WHERE document_id = ANY (ARRAY(SELECT document_id FROM gone))
          ), payloads AS (
            DELETE FROM ${our("payloads")} WHERE document_id = ANY (ARRAY(SELECT document_id FROM gone))
          ) SELECT count(*)::integer AS pruned FROM gone`
      )

    /** Before the other changes, which then return what is so. Done again, it changes nothing. */
    const suspending = (workspaceId: WorkspaceId, suspended: boolean | undefined) =>
      suspended === undefined
        ? Effect.void
        : execute(
          sql`SELECT ${our("suspend_made")}(${workspaceId}::uuid, ${suspended}::boolean)::text`
        )

    return WorkspaceStore.of({
      createAccount: (account, personal, owner) => execute(openAccount(account, personal, owner)),

      findAccount: (accountId) =>
        stored(
          sql<AccountRecord>`SELECT account_id::text AS account_id, name, email, tier, created_at
            FROM ${our("accounts")} WHERE account_id = ${accountId}::uuid`,
          first(identity)
        ),

      createShared: (workspace, allowance, parent, first) => {
        const created = stored(
          sql<{ readonly added: boolean }>`SELECT CASE
            WHEN ${our("has_room")}(${workspace.account_id}::uuid, ${allowance}::bigint) THEN ${
            opening(workspace, parent)
          }
            ELSE false END AS added`,
          ([answer]) => answer?.added === true
        )
        if (first === undefined) return created
        const keyed = stored(insert(workspace.workspace_id, first), (rows) => rows.length === 1)
        // Fails, so that the workspace is undone.
        const both = Effect.filterOrFail(created, identity, refused).pipe(
          Effect.andThen(Effect.filterOrFail(keyed, identity, refused))
        )
        return Effect.catchTag(transacted(sql, both), "Refused", () => Effect.succeed(false))
      },

      countShared: (accountId) =>
        stored(
          sql<{ readonly shared: number }>`SELECT count(*)::integer AS shared FROM ${our("workspaces")}
            WHERE account_id = ${accountId}::uuid AND kind = 'shared'`,
          ([row]) => row?.shared ?? 0
        ),

      find: (workspaceId) =>
        stored(
          sql<WorkspaceColumns>`SELECT ${columns} FROM ${our("workspaces")} w
            WHERE w.workspace_id = ${workspaceId}::uuid`,
          first(toWorkspace)
        ),

      list: ({ accountId, after, limit }) =>
        stored(
          sql<WorkspaceColumns>`SELECT ${columns} FROM ${our("workspaces")} w
            WHERE ${accountId === null ? sql.literal("true") : sql`w.account_id = ${accountId}::uuid`}
              AND w.workspace_id > ${after ?? LEAST_ID}::uuid
            ORDER BY w.workspace_id ${limitTo(sql, limit)}`,
          (rows) => rows.map(toWorkspace)
        ),

      update: (workspaceId, { grandfathered, limits, name, suspended, tier }) =>
        Effect.andThen(
          suspending(workspaceId, suspended),
          stored(
            sql<WorkspaceColumns>`UPDATE ${our("workspaces")} w SET
              name = coalesce(${name ?? null}::text, w.name),
              tier = coalesce(${tier ?? null}::text, w.tier),
              grandfathered = coalesce(${grandfathered ?? null}::boolean, w.grandfathered),
              overrides = CASE WHEN ${limits === null}::boolean THEN '{}'::jsonb ELSE w.overrides END
                || ${JSON.stringify(limits ?? {})}::text::jsonb
            WHERE w.workspace_id = ${workspaceId}::uuid RETURNING ${columns}`,
            first(toWorkspace)
          )
        ),

      close: (workspaceId, erase) =>
        announcing(stored(
          sql<{ readonly closed: boolean }>`
            SELECT ${our("close_workspace")}(${workspaceId}::uuid, ${JSON.stringify(erase)}::text::jsonb) AS closed`,
          ([answer]) => answer?.closed === true
        )),

      removeAccount: (accountId) =>
        stored(
          sql<{ readonly removed: boolean }>`SELECT ${our("remove_account")}(${accountId}::uuid) AS removed`,
          ([answer]) => answer?.removed === true
        ),

      erase: (workspaceId) =>
        Effect.andThen(
          eraseDocuments(workspaceId),
          Effect.forEach(ERASED, (erased) => eraseFrom(workspaceId, erased), { discard: true })
        )
    })
  })
)
