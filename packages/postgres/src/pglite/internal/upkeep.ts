/**
 * What a Postgres server's own processes do in the background. Embedded, the database has one session and nobody else:
 * without this, the space of deleted rows would never be used again, and the log would never end.
 */
import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { QueryDeadline } from "../Queries.ts"

const INTERVAL = "10 seconds"

/** After a crash the database reads its log again from the last checkpoint: a few seconds for this many bytes. */
const LONGEST_LOG = 64 * 1024 * 1024

/** A vacuum cannot be interrupted. With more dead rows than these, spread over a large table, it would take too long. */
const MOST_DEAD = 10_000

/**
 * Floors and shares are those of a server's autovacuum. The counts end with the process, so whatever changes then is taken
 * care of once. Long values are in a table of their own beside a table's rows, and no statement takes both.
 */
const due = (sql: SqlClient) =>
  sql<{ readonly statement: string }>`WITH tables AS (
      SELECT c.oid::regclass::text AS name, s.schemaname, greatest(c.reltuples, 0) AS rows, s.n_dead_tup AS dead,
        s.n_mod_since_analyze AS changed, s.last_vacuum, s.last_analyze
      FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid
    )
    SELECT 'ANALYZE ' || name AS statement FROM tables
      WHERE changed > CASE WHEN last_analyze IS NULL THEN 0 ELSE 50 + 0.1 * rows END
        AND schemaname NOT IN ('pg_toast', 'pg_catalog', 'information_schema')
    UNION ALL
    SELECT 'VACUUM (PROCESS_TOAST false) ' || name FROM tables
      WHERE dead > CASE WHEN last_vacuum IS NULL THEN 0 ELSE least(50 + 0.2 * rows, ${MOST_DEAD}::integer) END
    UNION ALL
    SELECT 'CHECKPOINT' FROM pg_control_checkpoint()
      WHERE pg_current_wal_lsn() - redo_lsn > ${LONGEST_LOG}::bigint`

/** What fails is due again the next time. */
const attempt = <A>(effect: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
  Effect.catchTag(
    effect,
    "SqlError",
    (error) => Effect.as(Effect.logDebug("the embedded database's upkeep failed", error), [])
  )

/** For as long as the database is open. Between two statements others have their turn. */
export const keepUp = (sql: SqlClient) =>
  attempt(due(sql)).pipe(
    Effect.flatMap((found) =>
      Effect.forEach(found, ({ statement }) => attempt(sql.unsafe(statement)), { discard: true })
    ),
    // At the usual deadline a large table's vacuum would be ended with its session, and begun again for ever.
    Effect.provideService(QueryDeadline, "1 hour"),
    Effect.schedule(Schedule.spaced(INTERVAL))
  )
