/**
 * A job that waits for another attempt keeps its pause, however often what it does is queued meanwhile. A closed
 * workspace takes no job but the one that erases it.
 */
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
      (job_id, workspace_id, queue, key, payload, status, max_attempts, deadline_seconds, created_at, run_at, due_at,
       trace)
    VALUES (v_job, v_workspace, v_queue, v_key, v_payload, 'queued', (p_job ->> 'max_attempts')::integer,
      (p_job ->> 'deadline_seconds')::double precision, v_created_at, v_run_at, v_due_at, p_job ->> 'trace');
    RETURN v_job;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.close_workspace(p_workspace uuid, p_erase jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_users uuid[];
    v_keys uuid[];
    v_now timestamptz := (p_erase ->> 'created_at')::timestamptz;
  BEGIN
    PERFORM FROM ${schema}.workspaces WHERE workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    -- Waits for changes that are under way; those that come later find no row to lock.
    DELETE FROM ${schema}.counters WHERE workspace_id = p_workspace;
    DELETE FROM ${schema}.knowledge WHERE workspace_id = p_workspace;
    SELECT array_agg(k.key_id) INTO v_keys FROM ${schema}.api_keys k WHERE k.workspace_id = p_workspace;
    DELETE FROM ${schema}.api_keys k WHERE k.key_id = ANY (v_keys);
    DELETE FROM ${schema}.key_traffic t WHERE t.key_id = ANY (v_keys);
    PERFORM ${schema}.revoke_made(v_keys, v_now);
    WITH gone AS (
      DELETE FROM ${schema}.invitations WHERE workspace_id = p_workspace RETURNING invitation_id
    ) DELETE FROM ${schema}.sign_in_links l USING gone WHERE l.subject = gone.invitation_id;
    WITH gone AS (
      DELETE FROM ${schema}.members WHERE workspace_id = p_workspace RETURNING user_id
    ) SELECT array_agg(user_id) INTO v_users FROM gone;
    PERFORM ${schema}.drop_homeless(v_users);
    PERFORM ${schema}.cancel_jobs(p_workspace, v_now, NULL, NULL);
    PERFORM ${schema}.enqueue(p_erase, NULL);
    -- Last, as it takes no further job then.
    DELETE FROM ${schema}.workspaces WHERE workspace_id = p_workspace;
    RETURN true;
  END $$`
]

export const jobQueueing: Migration = { name: "job_queueing", oldestCompatible: 1, statements }
