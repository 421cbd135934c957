import { useEffect, useRef, useState } from "react"
import { useSettled } from "../ui/time/useSettled.ts"

/**
 * What is typed into a field that the page's address keeps, once typing pauses. The address follows a moment later, and
 * would put back what was typed since, and the cursor to the end; only navigation changes the field.
 */
export const useAddressText = (kept: string, onChange: (text: string) => void) => {
  const [text, setText] = useState(kept)
  const settled = useSettled(text)
  /** On their way into the address. */
  const sent = useRef<ReadonlyArray<string>>([])
  useEffect(() => {
    if (settled === kept) return
    sent.current = [...sent.current, settled]
    onChange(settled)
  }, [settled])
  useEffect(() => {
    const place = sent.current.indexOf(kept)
    sent.current = place === -1 ? [] : sent.current.slice(place + 1)
    if (place === -1) setText(kept)
  }, [kept])
  return [text, setText] as const
}
