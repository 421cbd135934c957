/**
 * Webhooks and their deliveries.
 *
 * Whatever appends to a workspace's events makes its webhooks due in the same transaction. The row of a webhook is locked
 * by what appends to its deliveries, so that their numbers are in the order of their commits.
 */
import type { Migration } from "./Migration.ts"

const RANGED = `LANGUAGE plpgsql STABLE ROWS 100
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET enable_incremental_sort = off`

const tables = (schema: string): ReadonlyArray<string> => [
  `CREATE TABLE ${schema}.webhooks (
    workspace_id uuid NOT NULL,
    webhook_id uuid PRIMARY KEY,
    url text NOT NULL,
    event_types text NOT NULL,
    status text NOT NULL,
    error text,
    failing_since timestamptz,
    failures double precision NOT NULL,
    paused_until timestamptz,
    secrets text NOT NULL,
    previous_secret_expires_at timestamptz,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    event_seq bigint NOT NULL,
    noted text NOT NULL,
    due_at timestamptz NOT NULL,
    delivery_seq bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX webhooks_by_workspace ON ${schema}.webhooks (workspace_id, webhook_id)`,
  `CREATE INDEX webhooks_due ON ${schema}.webhooks (due_at) WHERE status = 'active'`,
  `CREATE TABLE ${schema}.webhook_deliveries (
    workspace_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    seq bigint NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    subject text COLLATE "C" NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts double precision NOT NULL,
    next_attempt_at timestamptz,
    last_attempt text,
    PRIMARY KEY (webhook_id, seq),
    UNIQUE (webhook_id, event_id)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX webhook_deliveries_by_status ON ${schema}.webhook_deliveries (webhook_id, status, seq)`,
  `CREATE INDEX webhook_deliveries_due ON ${schema}.webhook_deliveries (webhook_id, next_attempt_at, seq)
    WHERE next_attempt_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_waiting ON ${schema}.webhook_deliveries (webhook_id, subject, seq)
    WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_over ON ${schema}.webhook_deliveries (webhook_id, seq) WHERE status <> 'pending'`,
  `CREATE INDEX webhook_deliveries_by_age ON ${schema}.webhook_deliveries (created_at) WHERE status <> 'pending'`,
  `CREATE INDEX webhook_deliveries_by_workspace ON ${schema}.webhook_deliveries (workspace_id)`,

  `CREATE FUNCTION ${schema}.wake_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ${schema}.webhooks SET due_at = 'epoch' WHERE workspace_id = NEW.workspace_id AND due_at > 'epoch';
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER webhooks_wake AFTER UPDATE OF event_seq ON ${schema}.counters
    FOR EACH ROW WHEN (NEW.event_seq > OLD.event_seq) EXECUTE FUNCTION ${schema}.wake_webhooks()`
]

const writes = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.insert_webhook(p_webhook ${schema}.webhooks, p_maximum integer) RETURNS text
  LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id = p_webhook.workspace_id FOR NO KEY UPDATE;
    IF NOT FOUND OR p_maximum <= (
      SELECT count(*) FROM ${schema}.webhooks h WHERE h.workspace_id = p_webhook.workspace_id
    ) THEN
      RETURN 'full';
    END IF;
    p_webhook.event_seq := (
      SELECT c.event_seq FROM ${schema}.counters c WHERE c.workspace_id = p_webhook.workspace_id);
    INSERT INTO ${schema}.webhooks SELECT p_webhook.*;
    RETURN 'inserted';
  END $$`,

  `CREATE FUNCTION ${schema}.remove_webhook(p_workspace uuid, p_webhook uuid) RETURNS boolean LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  BEGIN
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.webhooks h WHERE h.webhook_id = p_webhook AND h.workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.webhook_deliveries d WHERE d.webhook_id = p_webhook;
    RETURN true;
  END $$`,

  // Null p_from: the messages are none of the log's.
  `CREATE FUNCTION ${schema}.append_deliveries(p_workspace uuid, p_webhook uuid, p_messages json, p_from bigint,
    p_to bigint, p_noted text, p_kept bigint) RETURNS boolean LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
  DECLARE
    v_webhook ${schema}.webhooks;
    v_message record;
  BEGIN
    SELECT h.* INTO v_webhook FROM ${schema}.webhooks h
      JOIN ${schema}.workspaces w ON w.workspace_id = h.workspace_id
      WHERE h.webhook_id = p_webhook AND h.workspace_id = p_workspace FOR UPDATE OF h;
    IF NOT FOUND OR v_webhook.event_seq <> p_from THEN
      RETURN false;
    END IF;
    FOR v_message IN SELECT * FROM json_to_recordset(p_messages)
      AS m(event_id uuid, event_type text, subject text, body text, created_at timestamptz) LOOP
      INSERT INTO ${schema}.webhook_deliveries VALUES (p_workspace, p_webhook, v_webhook.delivery_seq + 1,
        v_message.event_id, v_message.event_type, v_message.subject, v_message.body, v_message.created_at, 'pending', 0,
        CASE WHEN EXISTS (
          SELECT FROM ${schema}.webhook_deliveries d
            WHERE d.webhook_id = p_webhook AND d.subject = v_message.subject AND d.status = 'pending'
        ) THEN NULL ELSE v_message.created_at END, NULL)
        ON CONFLICT (webhook_id, event_id) DO NOTHING;
      IF FOUND THEN
        v_webhook.delivery_seq := v_webhook.delivery_seq + 1;
      END IF;
    END LOOP;
    UPDATE ${schema}.webhooks h SET
        delivery_seq = v_webhook.delivery_seq,
        event_seq = coalesce(p_to, h.event_seq),
        noted = coalesce(p_noted, h.noted),
        due_at = CASE WHEN p_from IS NULL THEN 'epoch' ELSE h.due_at END
      WHERE h.webhook_id = p_webhook;
    DELETE FROM ${schema}.webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT d.ctid FROM ${schema}.webhook_deliveries d
        WHERE d.webhook_id = p_webhook AND d.status <> 'pending' AND d.seq <= v_webhook.delivery_seq - p_kept
        ORDER BY d.webhook_id, d.seq LIMIT 1000));
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.record_delivery(p_workspace uuid, p_webhook uuid, p_seq bigint, p_status text,
    p_next timestamptz, p_attempt text) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_subject text;
  BEGIN
    -- What is appended meanwhile sees whether this one is over.
    PERFORM FROM ${schema}.webhooks h WHERE h.webhook_id = p_webhook FOR UPDATE;
    UPDATE ${schema}.webhook_deliveries d
      SET status = p_status, next_attempt_at = p_next, last_attempt = p_attempt, attempts = d.attempts + 1
      WHERE d.webhook_id = p_webhook AND d.seq = p_seq AND d.workspace_id IS NOT DISTINCT FROM p_workspace
      RETURNING d.subject INTO v_subject;
    IF NOT FOUND OR p_status = 'pending' THEN
      RETURN;
    END IF;
    UPDATE ${schema}.webhook_deliveries d SET next_attempt_at = coalesce(d.next_attempt_at, d.created_at)
      WHERE d.webhook_id = p_webhook AND d.seq = (
        SELECT n.seq FROM ${schema}.webhook_deliveries n
          WHERE n.webhook_id = p_webhook AND n.subject = v_subject AND n.status = 'pending'
          ORDER BY n.webhook_id, n.subject, n.seq LIMIT 1);
  END $$`,

  `CREATE FUNCTION ${schema}.resend_delivery(p_workspace uuid, p_webhook uuid, p_event uuid, p_now timestamptz)
    RETURNS SETOF ${schema}.webhook_deliveries LANGUAGE plpgsql SET enable_seqscan = off AS $$
  BEGIN
    PERFORM FROM ${schema}.webhooks h JOIN ${schema}.workspaces w ON w.workspace_id = h.workspace_id
      WHERE h.webhook_id = p_webhook AND h.workspace_id = p_workspace FOR UPDATE OF h;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    RETURN QUERY UPDATE ${schema}.webhook_deliveries d SET status = 'pending', next_attempt_at = p_now
      WHERE d.webhook_id = p_webhook AND d.event_id = p_event RETURNING d.*;
    IF FOUND THEN
      UPDATE ${schema}.webhooks h SET due_at = least(h.due_at, p_now) WHERE h.webhook_id = p_webhook;
    END IF;
  END $$`
]

const reads = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.deliveries_before(p_webhook uuid, p_status text, p_before bigint, p_limit integer)
    RETURNS SETOF ${schema}.webhook_deliveries ${RANGED} AS $$
  BEGIN
    IF p_status IS NULL THEN
      RETURN QUERY SELECT * FROM ${schema}.webhook_deliveries d
        WHERE d.webhook_id = p_webhook AND d.seq < p_before
        ORDER BY d.webhook_id DESC, d.seq DESC LIMIT p_limit;
    ELSE
      RETURN QUERY SELECT * FROM ${schema}.webhook_deliveries d
        WHERE d.webhook_id = p_webhook AND d.status = p_status AND d.seq < p_before
        ORDER BY d.webhook_id DESC, d.status DESC, d.seq DESC LIMIT p_limit;
    END IF;
  END $$`,

  `CREATE FUNCTION ${schema}.deliveries_due(p_webhook uuid, p_now timestamptz, p_limit integer)
    RETURNS SETOF ${schema}.webhook_deliveries ${RANGED} AS $$
  BEGIN
    RETURN QUERY SELECT * FROM ${schema}.webhook_deliveries d
      WHERE d.webhook_id = p_webhook AND d.next_attempt_at <= p_now
      ORDER BY d.webhook_id, d.next_attempt_at, d.seq LIMIT p_limit;
  END $$`
]

export const webhooks: Migration = {
  name: "webhooks",
  oldestCompatible: 1,
  statements: (schema) => [...tables(schema), ...writes(schema), ...reads(schema)]
}
