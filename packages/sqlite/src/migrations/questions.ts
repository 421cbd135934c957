/** Questions that were asked, with the feedback on their answers. */
export const questions = `
CREATE TABLE questions (
  workspace_id TEXT NOT NULL, question_id TEXT NOT NULL, query TEXT NOT NULL, answered INTEGER NOT NULL,
  model TEXT NOT NULL, sources TEXT NOT NULL, duration_ms INTEGER NOT NULL, asked_at INTEGER NOT NULL,
  principal TEXT NOT NULL, filter_digest TEXT, feedback TEXT, UNIQUE (workspace_id, question_id)
) STRICT;
CREATE INDEX questions_by_outcome ON questions (workspace_id, answered, question_id);
CREATE INDEX questions_by_time ON questions (workspace_id, asked_at);
CREATE INDEX questions_by_age ON questions (asked_at);
`
