/** Pages as ranges of an index. */
import type { SqlClient } from "effect/sql"

/** Before and after every id. */
export const LEAST_ID = "00000000-0000-0000-0000-000000000000"
export const GREATEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** Written into the statement, because the planner assumes a tenth of the rows for an unknown limit. */
export const limitTo = (sql: SqlClient.SqlClient, limit: number) => sql.literal(`LIMIT ${Math.trunc(limit)}`)
