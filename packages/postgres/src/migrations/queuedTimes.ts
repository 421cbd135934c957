/** When a job began to wait, by the database's clock: no job waits longer because that clock is put back. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // Null where a release before this one queued it.
  `ALTER TABLE ${schema}.jobs ADD COLUMN queued_at timestamptz`,

  `CREATE OR REPLACE FUNCTION ${schema}.enqueue(p_job jsonb, p_max_waiting integer) RETURNS uuid
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_job uuid := p_job ->> 'job_id';
    v_workspace uuid := p_job ->> 'workspace_id';
    v_queue text := p_job ->> 'queue';
    v_key text := p_job ->> 'key';
    v_payload text := p_job ->> 'payload';
    v_created_at timestamptz := p_job ->> 'created_at';
    v_run_at timestamptz := p_job ->> 'run_at';
    v_due_at timestamptz := clock_timestamp() + (v_run_at - v_created_at);
    v_joined record;
  BEGIN
    PERFORM ${schema}.lock_jobs(v_workspace);
    IF EXISTS (SELECT FROM ${schema}.jobs WHERE job_id = v_job) THEN
      RETURN v_job;
    END IF;
    IF NOT EXISTS (SELECT FROM ${schema}.workspaces WHERE workspace_id = v_workspace) THEN
      RETURN NULL;
    END IF;
    IF (p_job ->> 'joins')::boolean THEN
      SELECT j.job_id, j.attempt, j.run_at, j.due_at INTO v_joined FROM ${schema}.jobs j
        WHERE j.queue = v_queue AND j.key = v_key AND j.status = 'queued' AND j.payload = v_payload
          AND j.workspace_id IS NOT DISTINCT FROM v_workspace
        ORDER BY j.created_at, j.job_id LIMIT 1 FOR UPDATE;
      IF FOUND THEN
        IF v_joined.attempt = 0
          AND (v_run_at < v_joined.run_at OR v_joined.due_at IS NULL OR v_due_at < v_joined.due_at)
        THEN
          UPDATE ${schema}.jobs SET run_at = least(run_at, v_run_at), due_at = least(due_at, v_due_at)
            WHERE job_id = v_joined.job_id;
        END IF;
        RETURN v_joined.job_id;
      END IF;
    END IF;
    IF p_max_waiting IS NOT NULL AND p_max_waiting <= (
      SELECT count(*) FROM ${schema}.jobs j
        WHERE j.queue = v_queue AND j.status = 'queued' AND j.workspace_id IS NOT DISTINCT FROM v_workspace
    ) THEN
      RETURN NULL;
    END IF;
    INSERT INTO ${schema}.jobs
      (job_id, workspace_id, queue, key, payload, status, max_attempts, deadline_seconds, created_at, queued_at,
       run_at, due_at, trace)
    VALUES (v_job, v_workspace, v_queue, v_key, v_payload, 'queued', (p_job ->> 'max_attempts')::integer,
      (p_job ->> 'deadline_seconds')::double precision, v_created_at, clock_timestamp(), v_run_at, v_due_at,
      p_job ->> 'trace');
    RETURN v_job;
  END $$`,

  // A job is ready if it is due by either clock, or if it began to wait before the database's clock was put back.
  `CREATE OR REPLACE FUNCTION ${schema}.claim(p_queues text[], p_seconds double precision, p_now timestamptz,
    p_passed_over uuid[]) RETURNS SETOF ${schema}.jobs LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_job uuid;
  BEGIN
    LOOP
      SELECT j.job_id INTO v_job FROM ${schema}.jobs j
        WHERE j.status = 'queued' AND j.queue = ANY (p_queues)
          AND (j.run_at <= p_now OR j.due_at <= clock_timestamp() OR j.queued_at > clock_timestamp())
          AND NOT (j.workspace_id = ANY (p_passed_over))
          AND NOT EXISTS (
            SELECT FROM ${schema}.jobs r WHERE r.queue = j.queue AND r.key = j.key AND r.status = 'running')
          AND NOT EXISTS (
            SELECT FROM ${schema}.jobs e WHERE e.queue = j.queue AND e.key = j.key AND e.status = 'queued'
              AND (e.run_at <= p_now OR e.due_at <= clock_timestamp() OR e.queued_at > clock_timestamp())
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

export const queuedTimes: Migration = { name: "queued_times", oldestCompatible: 1, statements }
