/** What was asked in the last 30 days, newest first. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { useWorkspace } from "../api/workspace.tsx"

/** Questions that the page loads at most. */
export const MOST = 2_000

const SOON = 5_000
const SELDOM = 60_000

export const useQuestions = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const list = useInfiniteQuery({
    queryKey: [workspace_id, "questions"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => client.questions.list({ cursor: pageParam, limit: 100 }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // All pages are read again each time.
    refetchInterval: ({ state: { data } }) => (data?.pages.length ?? 1) === 1 ? SOON : SELDOM
  })
  const questions = list.data?.pages.flatMap(({ items }) => items)
  const { fetchNextPage, hasNextPage, isError, isFetchingNextPage } = list
  const read = questions?.length ?? 0
  const isReading = hasNextPage && read < MOST && !isError
  useEffect(() => {
    if (isReading && !isFetchingNextPage) void fetchNextPage()
  }, [isReading, isFetchingNextPage, read])
  return { questions, isReading, list }
}
