/** The questions whose answers cite a document, newest first, each once. */
import type { Citation } from "../api/models.ts"
import { useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ownerOf, useAnswerHistory } from "../calls/ask/answerHistory.ts"
import type { CallSearch } from "../calls/filters/callSearch.ts"

interface Citing {
  readonly query: string
  /** Of the conversation that it was asked in, or of the question alone. */
  readonly search: CallSearch
  /** ISO 8601, of the latest time that it was asked. */
  readonly askedAt: string
  readonly times: number
  /** Only for answers that this browser keeps. */
  readonly quotes: ReadonlyArray<Citation["entity"]>
}

const PAGE = 100

const isoOf = (at: Date | string): string => new Date(at).toISOString()

/** Combines the workspace's questions with the quotes of answers in this browser. */
export const useCiting = (documentId: string, enabled: boolean) => {
  const { me, workspace } = useWorkspace()
  const kept = useAnswerHistory(ownerOf(me, workspace))
  const found = useWorkspacePages(
    ["questions", "citing"],
    ({ client, cursor, signal }) => client.questions.list({ cursor, limit: PAGE }, { signal }),
    { enabled }
  )
  const asked = found.data?.pages.flatMap(({ items }) => items) ?? []

  const citing = new Map<string, Citing>()
  for (const { answers, search } of kept) {
    for (const { answer, askedAt, request: { query } } of answers) {
      const quotes = answer.citations.map(({ entity }) => entity).filter(({ id }) => id === documentId)
      if (quotes.length > 0) citing.set(query, { query, search, askedAt, times: 0, quotes })
    }
  }
  for (const { asked_at, documents, query } of asked) {
    if (!documents.some((id) => id === documentId)) continue
    const { askedAt = "", quotes = [], search = { q: query }, times = 0 } = citing.get(query) ?? {}
    const latest = askedAt > isoOf(asked_at) ? askedAt : isoOf(asked_at)
    citing.set(query, { query, search, askedAt: latest, times: times + 1, quotes })
  }
  return {
    citing: [...citing.values()].sort((left, right) => right.askedAt.localeCompare(left.askedAt)),
    read: asked.length,
    questions: found
  }
}
