/** The fields' contents, which follow the address when it changes by navigation. */
import { useEffect, useState } from "react"
import { type CallSearch, keyOf } from "./callSearch.ts"

export const useCallDraft = (search: CallSearch) => {
  const [draft, setDraft] = useState(search)
  useEffect(() => setDraft(search), [keyOf(search)])
  return [draft, setDraft] as const
}
