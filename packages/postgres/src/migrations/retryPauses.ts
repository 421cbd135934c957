/** A job that waits for another attempt keeps its pause, however often what it does is queued meanwhile. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
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
      (job_id, workspace_id, queue, key, payload, status, max_attempts, deadline_seconds, created_at, run_at, due_at,
       trace)
    VALUES (v_job, v_workspace, v_queue, v_key, v_payload, 'queued', (p_job ->> 'max_attempts')::integer,
      (p_job ->> 'deadline_seconds')::double precision, v_created_at, v_run_at, v_due_at, p_job ->> 'trace');
    RETURN v_job;
  END $$`
]

export const retryPauses: Migration = { name: "retry_pauses", oldestCompatible: 1, statements }
