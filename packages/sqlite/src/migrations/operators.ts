/** Operators of the service, and the log of what they did. */
export const operators = `
CREATE TABLE operators (
  operator_id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, hint TEXT NOT NULL, scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER
) STRICT;
CREATE TABLE operator_log (sequence INTEGER PRIMARY KEY, content TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
`
