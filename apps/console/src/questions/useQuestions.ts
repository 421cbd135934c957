/** What was asked in the last 30 days, newest first. */
import { perPage, useReadOn, useWorkspacePages } from "../api/useWorkspaceQuery.ts"

/** Questions that the page loads at most. */
export const MAX_QUESTIONS = 2_000

export const useQuestions = () => {
  const list = useWorkspacePages(
    ["questions"],
    ({ client, cursor, signal }) => client.questions.list({ cursor, limit: 100 }, { signal }),
    { refetchInterval: perPage(5_000) }
  )
  const questions = list.data?.pages.flatMap(({ items }) => items)
  const isReading = useReadOn(list, (questions?.length ?? 0) < MAX_QUESTIONS)
  return { questions, isReading, list }
}
