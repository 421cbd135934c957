/** Follow-ups that are not sent yet: each stays with its conversation while others are opened, or begun, beside it. */
import { useState } from "react"
import { type CallSearch, keyOf } from "../filters/callSearch.ts"

export const useFollowUps = (search: CallSearch) => {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map())
  const key = keyOf(search)
  return {
    draft: drafts.get(key) ?? "",
    change: (query: string) => setDrafts((drafts) => new Map(drafts).set(key, query)),
    /** One may have typed the next question meanwhile. */
    sent: (query: string) => setDrafts((drafts) => drafts.get(key) === query ? new Map(drafts).set(key, "") : drafts),
    /** Whether any is not sent, apart from the one that is being answered. */
    hasUnsent: (asking: string | undefined): boolean =>
      Array.from(drafts).some(([of, query]) => query.trim() !== "" && !(of === key && query === asking))
  }
}
