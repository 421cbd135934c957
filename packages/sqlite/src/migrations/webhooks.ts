/** Webhooks and their deliveries. Every change of a workspace's events makes its webhooks due. */
export const webhooks = `
CREATE TABLE webhooks (
  webhook_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, url TEXT NOT NULL, event_types TEXT NOT NULL,
  status TEXT NOT NULL, error TEXT, failing_since INTEGER, failures INTEGER NOT NULL, paused_until INTEGER,
  secrets TEXT NOT NULL, previous_secret_expires_at INTEGER, created_at INTEGER NOT NULL, created_by TEXT NOT NULL,
  event_seq INTEGER NOT NULL, noted TEXT NOT NULL, due_at INTEGER NOT NULL, delivery_seq INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_workspace ON webhooks (workspace_id, webhook_id);
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE status = 'active';
CREATE TABLE webhook_deliveries (
  webhook_id TEXT NOT NULL, seq INTEGER NOT NULL, workspace_id TEXT NOT NULL, event_id TEXT NOT NULL,
  event_type TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL,
  status TEXT NOT NULL, attempts INTEGER NOT NULL, next_attempt_at INTEGER, last_attempt TEXT,
  UNIQUE (webhook_id, seq), UNIQUE (webhook_id, event_id)
) STRICT;
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (webhook_id, status, seq);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, seq)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, subject, seq) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_over ON webhook_deliveries (webhook_id, seq) WHERE status <> 'pending';
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at) WHERE status <> 'pending';
CREATE INDEX webhook_deliveries_by_workspace ON webhook_deliveries (workspace_id);
CREATE TRIGGER webhooks_wake AFTER UPDATE OF event_seq ON counters WHEN new.event_seq > old.event_seq BEGIN
  UPDATE webhooks SET due_at = 0 WHERE workspace_id = new.workspace_id AND due_at > 0;
END;
`
