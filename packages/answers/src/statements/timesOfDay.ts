/** The half of the day that a time is in: "5 pm", "17:00" and "午後5時" are one time, "5 am" is another. */

const MORNING = /(?:午前|上午|오전) ?$/u
const AFTERNOON = /(?:午後|下午|오후) ?$/u

/** "17:30", "5", "05:30" */
const TIME = /^(?<hour>\d{1,2})(?::\d\d)?$/

type Half = "am" | "pm"

const namedHalf = (before: string, after: string): Half | null => {
  const letter = /^[ \u00A0\u202F]?([ap])\.? ?m(?!\p{L})/iu.exec(after)?.[1]?.toLowerCase()
  if (letter === "a" || MORNING.test(before)) return "am"
  return letter === "p" || AFTERNOON.test(before) ? "pm" : null
}

/** Known by its name, or by an hour that a clock of twelve hours does not show: "05:30", "17:30". */
export const halfOfDay = (before: string, digits: string, after: string): Half | null => {
  const named = namedHalf(before, after)
  if (named !== null) return named
  if (/^0\d:\d\d$/.test(digits)) return "am"
  return /^(?:1[3-9]|2[0-4]):\d\d$/.test(digits) ? "pm" : null
}

/** The time as a clock of 24 hours shows it, without zeros in front; null for what names no half of a day. */
export const on24Hours = (before: string, digits: string, after: string): string | null => {
  const half = namedHalf(before, after)
  const hour = Number(TIME.exec(digits)?.groups?.["hour"] ?? NaN)
  if (half === null || !(hour <= 12)) return null
  return digits.replace(/^\d+/, String(hour % 12 + (half === "pm" ? 12 : 0)))
}
