/** Audit logs on Postgres. */
import type { AuditDraft, AuditEntry, AuditRecord } from "@tributary/core/model/AuditEntry"
import { AuditStore, entriesOf, leastEntryId } from "@tributary/core/ports/AuditStore"
import { Effect, Layer } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { moment } from "./internal/moment.ts"
import { GREATEST_ID, limitTo } from "./internal/page.ts"
import { deleteSteps, unlockedRows } from "./internal/pruning.ts"
import { acrossWorkspaces, withParameter } from "./internal/RowSecurity.ts"
import { execute, stored, transacted } from "./internal/storageErrors.ts"

type EntryColumns = Columns<AuditEntry, "actor" | "details">

const toEntry = (row: EntryColumns): AuditEntry => ({
  ...row,
  actor: JSON.parse(row.actor),
  details: JSON.parse(row.details)
})

const withAccounts = withParameter("with_accounts")

/** The number of entries deleted at a time. */
const STEP = 500

export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { our, sql } = database

    const unlocked = unlockedRows(sql)

    const append = (entry: AuditRecord) =>
      execute(
        sql`INSERT INTO ${our("audit_log")} (entry_id, account_id, workspace_id, action, actor, subject, details,
              address, created_at)
            SELECT ${entry.entry_id}::uuid, a.account_id, ${entry.workspace_id}::uuid, ${entry.action}::text,
              ${JSON.stringify(entry.actor)}::text, ${entry.subject}::text, ${JSON.stringify(entry.details)}::text,
              ${entry.address}::text, ${moment(entry.created_at)}::timestamptz
            FROM ${our("accounts")} a WHERE a.account_id = ${entry.account_id}::uuid FOR KEY SHARE`
      )

    /** Their accounts are locked before all else, as their deletion does it. */
    const holdingAccounts = <A, E>(change: Effect.Effect<A, E>, drafts: ReadonlyArray<AuditDraft>) => {
      const accountIds = drafts.flatMap(({ account_id }) => account_id ?? [])
      if (accountIds.length === 0) return change
      return withAccounts(change, sql, sql`${arrayLiteral(accountIds)}::${our("held_accounts")}`)
    }

    return AuditStore.of({
      append,

      record: (change, drafts) => {
        const both = Effect.tap(
          holdingAccounts(change, drafts),
          (result) => Effect.forEach(entriesOf(drafts, result), (entry) => acrossWorkspaces(append(entry)))
        )
        return Effect.provideService(transacted(sql, both), Database, database)
      },

      list: (accountId, { after, limit, selection: { actions, actor, from, subject, to, words }, workspaceId }) =>
        stored(
          sql<
            EntryColumns
          >`SELECT e.entry_id::text AS entry_id, e.action, e.actor, e.workspace_id::text AS workspace_id,
              e.subject, e.details, e.address, e.created_at
            FROM ${our("audit_selected")}(${accountId}::uuid, ${workspaceId}::uuid, ${leastEntryId(from)}::uuid,
              ${after ?? GREATEST_ID}::uuid, ${limit}::integer,
              ${actions === null ? null : arrayLiteral(actions)}::text[], ${actor}::text, ${subject}::text,
              ${moment(from)}::timestamptz, ${moment(to)}::timestamptz, ${arrayLiteral(words)}::text[]) e
            ORDER BY e.entry_id DESC`,
          (rows) => rows.map(toEntry)
        ),

      prune: (before) =>
        Effect.asVoid(deleteSteps(
          sql,
          STEP,
          our("audit_log"),
          sql`SELECT ctid FROM ${our("audit_log")} WHERE created_at < ${moment(before)}::timestamptz
            ORDER BY created_at ${limitTo(sql, STEP)} ${unlocked}`
        ))
    })
  })
)
