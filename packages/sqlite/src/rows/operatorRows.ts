/** Operators as rows. */
import type { Operator } from "@tributary/core/model/Operator"
import { type Columns, date } from "./Columns.ts"

export type OperatorColumns = Columns<Operator, "scopes">

export const toOperator = (row: OperatorColumns): Operator => ({
  operator_id: row.operator_id,
  name: row.name,
  hint: row.hint,
  scopes: JSON.parse(row.scopes),
  created_at: new Date(row.created_at),
  expires_at: date(row.expires_at)
})
