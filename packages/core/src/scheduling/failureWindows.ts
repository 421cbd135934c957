/** Counts failures in fixed windows, in this process and with bounded memory; the least recent are dropped first. */

/** The most names that are counted. */
const MAX_WINDOWS = 10_000

interface Window {
  count: number
  readonly endsAt: number
}

export interface FailureLimit {
  readonly limit: number
  readonly window_seconds: number
}

export const failureWindows = () => {
  const windows = new Map<string, Window>()

  /** The window of a name that is open. One that began before the clock was set back is not: nobody waits longer. */
  const openWindow = (name: string, { window_seconds }: FailureLimit, now: number): Window | undefined => {
    const known = windows.get(name)
    return known !== undefined && known.endsAt > now && known.endsAt - now <= window_seconds * 1_000 ? known : undefined
  }

  return {
    /** The seconds to wait after too many failures of a name, otherwise 0. */
    wait: (name: string, limit: FailureLimit, now: number): number => {
      const open = openWindow(name, limit, now)
      return open === undefined || open.count < limit.limit ? 0 : Math.ceil((open.endsAt - now) / 1_000)
    },
    fail: (name: string, limit: FailureLimit, now: number, amount = 1): void => {
      const open = openWindow(name, limit, now) ?? { count: 0, endsAt: now + limit.window_seconds * 1_000 }
      open.count += amount
      windows.delete(name)
      windows.set(name, open)
      if (windows.size > MAX_WINDOWS) windows.delete(windows.keys().next().value!)
    }
  }
}
