/** Points at a day of a chart and selects some of them, by pointer and by keys alike. */
import { type KeyboardEvent, type PointerEvent, useState } from "react"

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: -Infinity,
  End: Infinity
}

interface Options {
  readonly count: number
  readonly onSelect: (first: number, last: number) => void
  readonly onReset: () => void
}

export const useBrush = ({ count, onReset, onSelect }: Options) => {
  const [pointed, setPointed] = useState<number | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const within = (day: number): number => Math.min(count - 1, Math.max(0, day))
  const at = pointed === null ? null : within(pointed)
  const selected = at === null || anchor === null ? null : [Math.min(at, anchor), Math.max(at, anchor)] as const

  const clear = () => {
    setPointed(null)
    setAnchor(null)
  }
  const dayUnder = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return within(Math.floor((clientX - left) / width * count))
  }
  const press = (event: KeyboardEvent) => {
    const current = at ?? count - 1
    const step = STEPS[event.key]
    if (step !== undefined) {
      setPointed(within(current + step))
      setAnchor(event.shiftKey ? anchor ?? current : null)
    } else if (event.key === "Enter") {
      onSelect(...selected ?? [current, current])
      clear()
    } else if (event.key === "Escape" && selected !== null) setAnchor(null)
    else if (event.key === "Escape") onReset()
    else return
    event.preventDefault()
  }

  return {
    at,
    selected,
    handlers: {
      onKeyDown: press,
      onFocus: () => setPointed(at ?? count - 1),
      onBlur: clear,
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setPointed(dayUnder(event))
        setAnchor(dayUnder(event))
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => setPointed(dayUnder(event)),
      // A press without a drag only points.
      onPointerUp: () => {
        if (selected !== null && selected[0] < selected[1]) onSelect(...selected)
        setAnchor(null)
      },
      onPointerCancel: clear,
      // A finger that is lifted leaves the day that it pointed at.
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === "mouse") setPointed(null)
      }
    }
  }
}
