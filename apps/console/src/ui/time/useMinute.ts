import { useSyncExternalStore } from "react"

const MINUTE = 60_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  timer ??= setInterval(tick, MINUTE / 4)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders again each minute: data that stay the same render nothing, while their times pass. */
export const useMinute = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / MINUTE))
