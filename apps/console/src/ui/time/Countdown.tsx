import { useEffect } from "react"
import { durationInWords } from "./duration.ts"
import { useNow } from "./useNow.ts"

interface Props {
  /** Milliseconds since 1970. */
  readonly until: number
  readonly onEnd?: () => void
}

/** The remaining time, every second. Not a live region, because a screen reader would never stop reading. */
export const Countdown = ({ onEnd, until }: Props) => {
  const now = useNow()
  const isOver = now >= until
  useEffect(() => {
    if (isOver) onEnd?.()
    // Once, however often the page renders again.
  }, [isOver])
  return <span className="numeric" aria-live="off">{durationInWords(Math.max(0, until - now) / 1_000)}</span>
}
