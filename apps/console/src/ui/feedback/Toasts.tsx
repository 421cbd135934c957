import { useEffect, useRef, useSyncExternalStore } from "react"
import { Button } from "../Button.tsx"
import { Icon } from "../Icon.tsx"

interface Toast {
  readonly id: number
  readonly text: string
  readonly bad: boolean
}

const LIFE = 6_000
let toasts: ReadonlyArray<Toast> = []
let count = 0
const listeners = new Set<() => void>()

const set = (next: ReadonlyArray<Toast>): void => {
  toasts = next
  for (const listener of listeners) listener()
}

const drop = (id: number): void => set(toasts.filter((toast) => toast.id !== id))

/** Announces results. Failures stay until they are dismissed. */
export const toast = (text: string, bad = false): void => {
  const id = ++count
  set([...toasts.slice(-3), { id, text, bad }])
  if (!bad) setTimeout(() => drop(id), LIFE)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const Toasts = () => {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const list = useRef<HTMLDivElement>(null)
  /** What had the focus before the toasts. */
  const before = useRef<Element>(null)
  // In the browser's top layer, so that a dialog does not cover it, and within reach while one is open.
  useEffect(() => {
    list.current?.hidePopover()
    if (shown.length > 0) list.current?.showPopover()
    if (before.current === null || document.activeElement !== document.body) return
    const next = before.current.isConnected ? before.current : document.querySelector("h1")
    if (next instanceof HTMLElement) next.focus({ preventScroll: true })
    before.current = null
  }, [shown])
  return (
    <div
      ref={list}
      className="toasts"
      data-react-aria-top-layer
      popover="manual"
      role="status"
      aria-live="polite"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget
      }}
    >
      {shown.map(({ bad, id, text }) => (
        <div key={id} className={bad ? "toast bad" : "toast"}>
          <span className="wrap-anywhere">{text}</span>
          <Button kind="quiet" small aria-label="Dismiss" onClick={() => drop(id)}>
            <Icon name="close" />
          </Button>
        </div>
      ))}
    </div>
  )
}
