import { useMinute } from "./useMinute.ts"

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" })
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3_600], ["minute", 60]] as const

export const dateOf = (at: Date | string): Date => typeof at === "string" ? new Date(at) : at

const relative = (at: Date, now: number): string => {
  const seconds = (at.getTime() - now) / 1_000
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit === undefined ? "just now" : RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0])
}

const FULL = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" })
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" })

/** In UTC, as the service counts days. */
export const dayOf = (at: Date | string): string => DAY.format(dateOf(at))

/** To the minute, in the reader's own time. */
export const Exactly = ({ at }: { readonly at: Date | string }) => {
  const date = dateOf(at)
  return <time dateTime={date.toISOString()}>{FULL.format(date)}</time>
}

/** A relative time, with the exact one in the tooltip. */
export const Moment = ({ at }: { readonly at: Date | string }) => {
  const date = dateOf(at)
  useMinute()
  return <time dateTime={date.toISOString()} title={FULL.format(date)}>{relative(date, Date.now())}</time>
}
