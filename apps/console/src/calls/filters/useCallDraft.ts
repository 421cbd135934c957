/** The fields' contents, which follow the address when it changes by navigation. */
import { useEffect, useState } from "react"
import { type CallSearch, callSearchOf, keyOf } from "./callSearch.ts"

export const useCallDraft = (search: CallSearch) => {
  const [draft, setDraft] = useState(search)
  useEffect(() => setDraft(search), [keyOf(search)])
  return [draft, setDraft] as const
}

const read = (slot: string): CallSearch | null => {
  const kept = sessionStorage.getItem(slot)
  return kept === null ? null : callSearchOf(JSON.parse(kept) as Record<string, unknown>)
}

/** The same, of which each address has what was filled in and not sent, until the session of the browser's tab ends. */
export const useKeptCallDraft = (search: CallSearch, name: string) => {
  const key = keyOf(search)
  const slot = `${name}.${key}`
  const [draft, setDraft] = useState(() => read(slot) ?? search)
  useEffect(() => setDraft(read(slot) ?? search), [slot])
  const forget = () => sessionStorage.removeItem(slot)
  const change = (draft: CallSearch) => {
    setDraft(draft)
    if (keyOf(draft) === key) forget()
    else sessionStorage.setItem(slot, JSON.stringify(draft))
  }
  return { draft, change, forget }
}
