/**
 * What a Postgres server's own processes do in the background. Embedded, the database has one session and nobody else:
 * without this, the space of deleted rows would never be used again, and the log would never end.
 */
import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { QueryDeadline } from "../Queries.ts"

/** Short, so that few rows die in between. */
const INTERVAL = Duration.seconds(2)

/** After the upkeep the database is others' for at least so many times as long. */
const OTHERS = 4

/** After a crash the database reads its log again from the last checkpoint: a few seconds for this many bytes. */
const LONGEST_LOG = 64 * 1024 * 1024

/** So many dead rows are vacuumed in any case. */
const MOST_DEAD = 10_000

/**
 * A vacuum passes over pages without dead rows where there are 32 in a row, and else reads all of the table, while nobody
 * else is answered. So a large table is vacuumed while there are more than so many pages to a dead row, but not for less
 * than one in so many.
 */
const [SPARSE, RARE] = [100, 400]

/**
 * Floors and shares are those of a server's autovacuum. The counts end with the process, so whatever changes then is taken
 * care of once. Long values are in a table of their own beside a table's rows, and no statement takes both. Where few
 * rows are dead their index entries would be left for later, and their pages be read each time.
 */
const due = (sql: SqlClient) =>
  sql<{ readonly statement: string }>`WITH tables AS (
      SELECT c.oid::regclass::text AS name, s.schemaname, greatest(c.reltuples, 0) AS rows, c.relpages AS pages,
        s.n_dead_tup AS dead, s.n_mod_since_analyze AS changed, s.last_vacuum, s.last_analyze
      FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid
    )
    SELECT 'ANALYZE ' || name AS statement FROM tables
      WHERE changed > CASE WHEN last_analyze IS NULL THEN 0 ELSE 50 + 0.1 * rows END
        AND schemaname NOT IN ('pg_toast', 'pg_catalog', 'information_schema')
    UNION ALL
    SELECT 'VACUUM (PROCESS_TOAST false, INDEX_CLEANUP) ' || name FROM tables
      WHERE dead > CASE WHEN last_vacuum IS NULL THEN 0 ELSE least(50 + 0.2 * rows, ${MOST_DEAD}::integer) END
        OR dead BETWEEN greatest(50, pages / ${RARE}::integer) AND pages / ${SPARSE}::integer
    UNION ALL
    SELECT 'CHECKPOINT' FROM pg_control_checkpoint()
      WHERE pg_current_wal_lsn() - redo_lsn > ${LONGEST_LOG}::bigint`

/** How long it took by the machine's clock, whatever clock the sleeps go by. */
const worked = (effect: Effect.Effect<void>) =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(effect, () => Duration.millis(performance.now() - began))
  })

/** For as long as the database is open. Between two statements others have their turn. */
export const keepUp = (sql: SqlClient) =>
  Effect.suspend(() => {
    const known = new Set<string>()

    /** What fails is due again the next time, and told of once. */
    const attempt = <A>(what: string, effect: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
      Effect.catchTag(effect, "SqlError", (error) => {
        const failure = `${what}: ${error.reason._tag}`
        if (known.has(failure)) return Effect.succeed([])
        known.add(failure)
        return Effect.logWarning("the embedded database's upkeep failed", error).pipe(
          Effect.annotateLogs({ statement: what }),
          Effect.as([])
        )
      })

    return attempt("what is due", due(sql)).pipe(
      Effect.flatMap((found) =>
        Effect.forEach(found, ({ statement }) => attempt(statement, sql.unsafe(statement)), { discard: true })
      ),
      // At the usual deadline a large table's vacuum would be ended with its session, and begun again for ever.
      Effect.provideService(QueryDeadline, "1 hour"),
      worked,
      Effect.flatMap((took) => Effect.sleep(Duration.max(INTERVAL, Duration.times(took, OTHERS)))),
      Effect.forever
    )
  })
