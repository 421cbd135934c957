/** Up to when the questions of a workspace were deleted. */
export const questionDeletions = `
ALTER TABLE workspaces ADD COLUMN questions_deleted_before INTEGER;
`
