/**
 * Counts failed attempts in fixed windows, in this process and with bounded memory; the least recent are dropped first.
 */

/** The most addresses and tokens that are counted. */
const REMEMBERED = 10_000

interface Window {
  count: number
  readonly endsAt: number
}

export interface AttemptLimit {
  readonly limit: number
  readonly window_seconds: number
}

export const attempts = () => {
  const windows = new Map<string, Window>()
  return {
    /** The seconds to wait after too many failures of a name, otherwise 0. */
    wait: (name: string, { limit }: AttemptLimit, now: number): number => {
      const known = windows.get(name)
      return known === undefined || known.endsAt <= now || known.count < limit
        ? 0
        : Math.max(1, Math.ceil((known.endsAt - now) / 1_000))
    },
    fail: (name: string, { window_seconds }: AttemptLimit, now: number): void => {
      const known = windows.get(name)
      const open = known !== undefined && known.endsAt > now
        ? known
        : { count: 0, endsAt: now + window_seconds * 1_000 }
      open.count++
      windows.delete(name)
      windows.set(name, open)
      if (windows.size > REMEMBERED) windows.delete(windows.keys().next().value!)
    }
  }
}
