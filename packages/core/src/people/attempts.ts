/** Counts attempts in fixed windows, in this process and in bounded memory: the longest unseen are forgotten first. */

/** So many places and secrets are remembered. */
const REMEMBERED = 10_000

interface Window {
  count: number
  readonly endsAt: number
}

export interface AttemptLimit {
  readonly limit: number
  readonly window_seconds: number
}

/** Counts an attempt under a name; answers with the seconds to wait when there have been too many, or else 0. */
export const attempts = () => {
  const windows = new Map<string, Window>()
  return (name: string, { limit, window_seconds }: AttemptLimit, now: number): number => {
    const known = windows.get(name)
    const open = known !== undefined && known.endsAt > now
      ? known
      : { count: 0, endsAt: now + window_seconds * 1_000 }
    windows.delete(name)
    windows.set(name, open)
    if (windows.size > REMEMBERED) windows.delete(windows.keys().next().value!)
    if (open.count >= limit) return Math.max(1, Math.ceil((open.endsAt - now) / 1_000))
    open.count++
    return 0
  }
}
