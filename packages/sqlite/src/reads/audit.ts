/** The entries of an audit log that match filters. */
import type { AuditEntry } from "@tributary/core/model/AuditEntry"
import type { AccountId } from "@tributary/core/model/Id"
import type { AuditSelection, AuditStore } from "@tributary/core/ports/AuditStore"
import type { Columns } from "../rows/Columns.ts"
import type { SqliteConnection, Value } from "../internal/SqliteConnection.ts"

export type AuditColumns = Columns<AuditEntry, "actor" | "details">

type Condition = readonly [text: string, ...values: ReadonlyArray<Value>]

/** SQLite's `lower` folds only ASCII, as `auditText` does. */
const TEXT = "lower(concat_ws(char(10), action, actor ->> 'id', subject, ifnull(address, ''), details))"

const conditionsOf = ({ actions, actor, from, subject, to, words }: AuditSelection): ReadonlyArray<Condition> => [
  ...actions === null ? [] : [
    [
      `EXISTS (SELECT 1 FROM json_each(?) WHERE value IN (action, substr(action, 1, instr(action, '.') - 1)))`,
      JSON.stringify(actions)
    ] as const
  ],
  ...actor === null ? [] : [["actor ->> 'id' = ?", actor] as const],
  ...subject === null ? [] : [["subject = ?", subject] as const],
  ...from === null ? [] : [["created_at >= ?", from] as const],
  ...to === null ? [] : [["created_at < ?", to] as const],
  ...words.map((word) => [`instr(${TEXT}, ?) > 0`, word] as const)
]

export const listAudit = (
  db: SqliteConnection,
  accountId: AccountId,
  leastId: string,
  { after, limit, selection, workspaceId }: Parameters<AuditStore["Service"]["list"]>[1]
): ReadonlyArray<AuditColumns> => {
  const conditions: ReadonlyArray<Condition> = [
    ["account_id = ?", accountId],
    ...workspaceId === null ? [] : [["workspace_id = ?", workspaceId] as const],
    ["entry_id >= ?", leastId],
    ...after === null ? [] : [["entry_id < ?", after] as const],
    ...conditionsOf(selection)
  ]
  return db.all<AuditColumns>(
    `SELECT entry_id, action, actor, workspace_id, subject, details, address, created_at FROM audit_log
      WHERE ${conditions.map(([text]) => text).join(" AND ")} ORDER BY entry_id DESC LIMIT ?`,
    ...conditions.flatMap(([, ...values]) => values),
    limit
  )
}
