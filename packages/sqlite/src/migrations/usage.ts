/** Counts of requests by the day, and what was stored then. */
export const usage = `
CREATE TABLE usage_days (
  workspace_id TEXT NOT NULL, day TEXT NOT NULL, documents INTEGER NOT NULL, storage INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_days_by_day ON usage_days (day);
CREATE TABLE usage_counts (
  workspace_id TEXT NOT NULL, day TEXT NOT NULL, operation TEXT NOT NULL, outcome TEXT NOT NULL,
  bucket INTEGER NOT NULL, requests INTEGER NOT NULL, UNIQUE (workspace_id, day, operation, outcome, bucket)
) STRICT;
`
