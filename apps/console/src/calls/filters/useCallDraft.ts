/** What is filled into the fields; it follows the address when that changes, as by Back. */
import { useEffect, useState } from "react"
import { type CallSearch, keyOf } from "./callSearch.ts"

export const useCallDraft = (search: CallSearch) => {
  const [draft, setDraft] = useState(search)
  useEffect(() => setDraft(search), [keyOf(search)])
  return [draft, setDraft] as const
}
