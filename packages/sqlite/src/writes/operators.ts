/** Writes of operators and of their log. */
import type { OperatorId } from "@tributary/core/model/Id"
import type { Operator } from "@tributary/core/model/Operator"
import type { LogLink } from "@tributary/core/ports/OperatorStore"
import { type OperatorColumns, toOperator } from "../rows/operatorRows.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

export const operatorWrites = {
  insertOperator: (
    db: SqliteConnection,
    { created_at, expires_at, hint, name, operator_id, scopes }: Operator,
    hash: string
  ): void => {
    db.insertRow("operators", {
      operator_id,
      hash,
      name,
      hint,
      scopes: JSON.stringify(scopes),
      created_at,
      expires_at
    })
  },

  removeOperator: (db: SqliteConnection, operatorId: OperatorId): Operator | null => {
    const row = db.get<OperatorColumns>("DELETE FROM operators WHERE operator_id = ? RETURNING *", operatorId)
    return row === undefined ? null : toOperator(row)
  },

  appendLink: (db: SqliteConnection, { content, hash, sequence }: LogLink): boolean =>
    db.run(
      "INSERT INTO operator_log (sequence, content, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      sequence,
      content,
      hash
    ) === 1
}
