/** The assignments of a partial update. */
import type { SqlClient, Statement } from "effect/sql"

type Value = string | number | null | undefined

/** Sets the columns of the row `alias`; an undefined value leaves its column unchanged. */
export const setColumns = <Change>(
  sql: SqlClient.SqlClient,
  alias: string,
  columns: { readonly [Column in keyof Change]-?: readonly [value: Value, type: string] }
): Statement.Fragment =>
  sql.csv(
    Object.entries<readonly [value: Value, type: string]>(columns).map(([column, [value, type]]) =>
      value === undefined
        ? sql`${sql.literal(column)} = ${sql.literal(`${alias}.${column}`)}`
        : sql`${sql.literal(column)} = ${value}::${sql.literal(type)}`
    )
  )
