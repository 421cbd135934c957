/** The ids of the questions of a workspace that were deleted last, one by one: each followed by a comma, newest first. */
import type { Migration } from "./Migration.ts"

export const removedQuestions: Migration = {
  name: "removed_questions",
  oldestCompatible: 1,
  statements: (schema) => [`ALTER TABLE ${schema}.workspaces ADD COLUMN removed_questions text`]
}
