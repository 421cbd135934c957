/** What was asked in the last 30 days, newest first. */
import { useEffect } from "react"
import { useWorkspacePages } from "../api/useWorkspaceQuery.ts"

/** Questions that the page loads at most. */
export const MOST = 2_000

const SOON = 5_000
const SELDOM = 60_000

export const useQuestions = () => {
  const list = useWorkspacePages(
    ["questions"],
    ({ client, cursor, signal }) => client.questions.list({ cursor, limit: 100 }, { signal }),
    // All pages are read again each time.
    { refetchInterval: ({ state: { data } }) => (data?.pages.length ?? 1) === 1 ? SOON : SELDOM }
  )
  const questions = list.data?.pages.flatMap(({ items }) => items)
  const { fetchNextPage, hasNextPage, isError, isFetchingNextPage } = list
  const read = questions?.length ?? 0
  const isReading = hasNextPage && read < MOST && !isError
  useEffect(() => {
    if (isReading && !isFetchingNextPage) void fetchNextPage()
  }, [isReading, isFetchingNextPage, read])
  return { questions, isReading, list }
}
