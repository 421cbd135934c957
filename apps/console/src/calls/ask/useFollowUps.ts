/**
 * Follow-ups that are not sent yet: each stays with its conversation while others are opened, or begun, beside it. They
 * outlast a reload and the end of the session, but not that a person leaves the page.
 */
import { useEffect, useState } from "react"
import { ANSWERS } from "../../api/signedOut.ts"
import { type CallSearch, keyOf } from "../filters/callSearch.ts"

type Drafts = ReadonlyMap<string, string>

const read = (slot: string): Drafts =>
  new Map(JSON.parse(sessionStorage.getItem(slot) ?? "[]") as Array<[string, string]>)

export const useFollowUps = (owner: string, search: CallSearch) => {
  const slot = `${ANSWERS}follow-ups.${owner}`
  const [drafts, setDrafts] = useState(() => read(slot))
  useEffect(() => sessionStorage.setItem(slot, JSON.stringify([...drafts])), [slot, drafts])
  // Only navigation within the console gets here.
  useEffect(() => () => sessionStorage.removeItem(slot), [slot])
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
