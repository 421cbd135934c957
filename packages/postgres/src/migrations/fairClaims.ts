/** Claims may pass over workspaces that have many places of a process already. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // A job is ready if it is due by either clock.
  `CREATE FUNCTION ${schema}.claim(p_queues text[], p_seconds double precision, p_now timestamptz,
    p_passed_over uuid[]) RETURNS SETOF ${schema}.jobs LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_job uuid;
  BEGIN
    LOOP
      SELECT j.job_id INTO v_job FROM ${schema}.jobs j
        WHERE j.status = 'queued' AND j.queue = ANY (p_queues)
          AND (j.run_at <= p_now OR j.due_at <= clock_timestamp())
          AND NOT (j.workspace_id = ANY (p_passed_over))
          AND NOT EXISTS (
            SELECT FROM ${schema}.jobs r WHERE r.queue = j.queue AND r.key = j.key AND r.status = 'running')
          AND NOT EXISTS (
            SELECT FROM ${schema}.jobs e WHERE e.queue = j.queue AND e.key = j.key AND e.status = 'queued'
              AND (e.run_at <= p_now OR e.due_at <= clock_timestamp())
              AND (e.created_at, e.job_id) < (j.created_at, j.job_id))
        ORDER BY j.created_at, j.job_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        RETURN;
      END IF;
      BEGIN
        RETURN QUERY UPDATE ${schema}.jobs j SET
            status = 'running', attempt = j.attempt + 1, started_at = coalesce(j.started_at, p_now), progress = NULL,
            lease = gen_random_uuid()::text, lease_until = clock_timestamp() + make_interval(secs => p_seconds)
          WHERE j.job_id = v_job RETURNING j.*;
        RETURN;
      EXCEPTION WHEN unique_violation THEN
        -- Another node began a job of this key meanwhile. Look again: it is seen now.
      END;
    END LOOP;
  END $$`
]

export const fairClaims: Migration = { name: "fair_claims", oldestCompatible: 1, statements }
