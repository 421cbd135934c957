/** Questions that were asked, with the feedback on their answers. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.questions (
    workspace_id uuid NOT NULL,
    question_id uuid NOT NULL,
    query text NOT NULL,
    answered boolean NOT NULL,
    model text NOT NULL,
    sources text NOT NULL,
    duration_ms integer NOT NULL,
    asked_at timestamptz NOT NULL,
    principal text NOT NULL,
    filter_digest text,
    feedback text,
    PRIMARY KEY (workspace_id, question_id)
  )`,
  `CREATE INDEX questions_by_outcome ON ${schema}.questions (workspace_id, answered, question_id)`,
  `CREATE INDEX questions_by_time ON ${schema}.questions (workspace_id, asked_at)`,
  `CREATE INDEX questions_by_age ON ${schema}.questions (asked_at)`
]

export const questions: Migration = { name: "questions", oldestCompatible: 1, statements }
