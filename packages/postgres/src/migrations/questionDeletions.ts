/** Up to when the questions of a workspace were deleted. */
import type { Migration } from "./Migration.ts"

export const questionDeletions: Migration = {
  name: "question_deletions",
  oldestCompatible: 1,
  statements: (schema) => [`ALTER TABLE ${schema}.workspaces ADD COLUMN questions_deleted_before timestamptz`]
}
