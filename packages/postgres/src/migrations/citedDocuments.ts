/** Which documents the answer to a question cites. */
import type { Migration } from "./Migration.ts"

export const citedDocuments: Migration = {
  name: "cited_documents",
  oldestCompatible: 1,
  statements: (schema) => [`ALTER TABLE ${schema}.questions ADD COLUMN documents text NOT NULL DEFAULT '[]'`]
}
