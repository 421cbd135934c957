/** The events of one document: when its versions came. */
import type { Migration } from "./Migration.ts"

export const documentEvents: Migration = {
  name: "document_events",
  oldestCompatible: 1,
  statements: (schema) => [
    `CREATE INDEX events_by_document ON ${schema}.events (workspace_id, document_id, event_seq)`
  ]
}
