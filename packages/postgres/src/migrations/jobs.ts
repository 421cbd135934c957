/** Jobs, and the notification that one may have become ready or ended. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.jobs (
    job_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    queue text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    payload text NOT NULL,
    status text NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    max_attempts integer NOT NULL,
    deadline_seconds double precision NOT NULL,
    created_at timestamptz NOT NULL,
    run_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    progress text,
    error text,
    result text,
    lease text,
    lease_until timestamptz
  ) WITH (fillfactor = 70)`,
  // The database ensures at most one running job per key, even with concurrent claims.
  `CREATE UNIQUE INDEX jobs_running ON ${schema}.jobs (queue, key) WHERE status = 'running'`,
  `CREATE INDEX jobs_by_age ON ${schema}.jobs (created_at, job_id) WHERE status = 'queued'`,
  `CREATE INDEX jobs_of_key ON ${schema}.jobs (queue, key, created_at, job_id) WHERE status = 'queued'`,
  `CREATE INDEX jobs_by_workspace ON ${schema}.jobs (workspace_id, queue, job_id)`,
  `CREATE INDEX jobs_by_end ON ${schema}.jobs (finished_at) WHERE finished_at IS NOT NULL`,

  `CREATE FUNCTION ${schema}.announce_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify(TG_TABLE_SCHEMA, 'jobs');
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER announce AFTER INSERT OR UPDATE ON ${schema}.jobs FOR EACH ROW WHEN (NEW.status <> 'running')
    EXECUTE FUNCTION ${schema}.announce_job()`,

  // Joining and counting what waits need one queuer at a time; locking a row of the workspace would hold up ingest.
  `CREATE FUNCTION ${schema}.lock_jobs(p_workspace uuid) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('${schema}.jobs ' || p_workspace, 0))
  $$`,

  // Searches the waiting jobs, never all jobs of the workspace: "IS NOT DISTINCT FROM" excludes that index, which looks
  // as good while there are few rows.
  `CREATE FUNCTION ${schema}.enqueue(p_job jsonb, p_max_waiting integer) RETURNS uuid
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_job uuid := p_job ->> 'job_id';
    v_workspace uuid := p_job ->> 'workspace_id';
    v_queue text := p_job ->> 'queue';
    v_key text := p_job ->> 'key';
    v_payload text := p_job ->> 'payload';
    v_run_at timestamptz := p_job ->> 'run_at';
    v_joined record;
  BEGIN
    PERFORM ${schema}.lock_jobs(v_workspace);
    IF EXISTS (SELECT FROM ${schema}.jobs WHERE job_id = v_job) THEN
      RETURN v_job;
    END IF;
    IF (p_job ->> 'joins')::boolean THEN
      SELECT j.job_id, j.run_at INTO v_joined FROM ${schema}.jobs j
        WHERE j.queue = v_queue AND j.key = v_key AND j.status = 'queued' AND j.payload = v_payload
          AND j.workspace_id IS NOT DISTINCT FROM v_workspace
        ORDER BY j.created_at, j.job_id LIMIT 1 FOR UPDATE;
      IF FOUND THEN
        IF v_run_at < v_joined.run_at THEN
          UPDATE ${schema}.jobs SET run_at = v_run_at WHERE job_id = v_joined.job_id;
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
      (job_id, workspace_id, queue, key, payload, status, max_attempts, deadline_seconds, created_at, run_at)
    VALUES (v_job, v_workspace, v_queue, v_key, v_payload, 'queued', (p_job ->> 'max_attempts')::integer,
      (p_job ->> 'deadline_seconds')::double precision, (p_job ->> 'created_at')::timestamptz, v_run_at);
    RETURN v_job;
  END $$`,

  // Ends all jobs of a workspace, or only those of one queue and key.
  `CREATE FUNCTION ${schema}.cancel_jobs(p_workspace uuid, p_at timestamptz, p_queue text, p_key text) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${schema}.lock_jobs(p_workspace);
    UPDATE ${schema}.jobs SET status = 'cancelled', finished_at = p_at, lease = NULL, lease_until = NULL
      WHERE workspace_id = p_workspace AND status IN ('queued', 'running')
        AND (p_queue IS NULL OR (queue = p_queue AND key = p_key));
  END $$`,

  `CREATE FUNCTION ${schema}.claim(p_queues text[], p_seconds double precision, p_now timestamptz)
  RETURNS SETOF ${schema}.jobs LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_job uuid;
  BEGIN
    LOOP
      SELECT j.job_id INTO v_job FROM ${schema}.jobs j
        WHERE j.status = 'queued' AND j.queue = ANY (p_queues) AND j.run_at <= p_now
          AND NOT EXISTS (
            SELECT FROM ${schema}.jobs r WHERE r.queue = j.queue AND r.key = j.key AND r.status = 'running')
          AND NOT EXISTS (
            SELECT FROM ${schema}.jobs e WHERE e.queue = j.queue AND e.key = j.key AND e.status = 'queued'
              AND e.run_at <= p_now AND (e.created_at, e.job_id) < (j.created_at, j.job_id))
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

export const jobs: Migration = { name: "jobs", oldestCompatible: 1, statements }
