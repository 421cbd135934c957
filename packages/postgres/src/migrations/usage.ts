/** Counts of requests by the day, and what was stored then. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.usage_days (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    documents bigint NOT NULL,
    storage bigint NOT NULL,
    PRIMARY KEY (workspace_id, day)
  )`,
  `CREATE INDEX usage_days_by_day ON ${schema}.usage_days (day)`,
  `CREATE TABLE ${schema}.usage_counts (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    operation text COLLATE "C" NOT NULL,
    outcome text COLLATE "C" NOT NULL,
    bucket integer NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (workspace_id, day, operation, outcome, bucket)
  )`
]

export const usage: Migration = { name: "usage", oldestCompatible: 1, statements }
