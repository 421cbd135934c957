/** The ids of the questions of a workspace that were deleted last, one by one: each followed by a comma, newest first. */
export const removedQuestions = `
ALTER TABLE workspaces ADD COLUMN removed_questions TEXT;
`
