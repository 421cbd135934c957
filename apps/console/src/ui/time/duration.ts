/** Spans of time in words. */
import { amount } from "../numbers.ts"

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** `42 seconds`, `12 minutes`, `3 hours`: exact below two minutes, rounded up above. */
export const durationInWords = (seconds: number): string => {
  if (seconds < 2 * MINUTE) return amount(Math.max(1, Math.ceil(seconds)), "second")
  if (seconds < 2 * HOUR) return amount(Math.ceil(seconds / MINUTE), "minute")
  if (seconds < 2 * DAY) return amount(Math.ceil(seconds / HOUR), "hour")
  return amount(Math.ceil(seconds / DAY), "day")
}
