/** Documents with a duration, by its end: a range of time begins at those that have not ended, and at the index by time. */
import type { Migration } from "./Migration.ts"

export const lasting: Migration = {
  name: "lasting",
  oldestCompatible: 1,
  statements: (schema) => [
    `CREATE INDEX documents_lasting ON ${schema}.documents (workspace_id, ends_at, timestamp) WHERE ends_at IS NOT NULL`
  ]
}
