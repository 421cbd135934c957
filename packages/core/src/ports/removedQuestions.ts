/** Of how many questions that were deleted one by one a workspace keeps the ids, see `QuestionStore.remove`. */
export const MAX_REMOVED_QUESTIONS = 1_000
