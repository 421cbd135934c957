/** Dates as feeds, mails and pages write them, in RFC 5322, ISO 8601 and neither. */

const ZONE = /(?:\d\s*Z|[+-]\d{2}:?\d{2}(?:\s*\(.*\))?|\s\(?[A-Z]{1,5}\)?)$/i
const UNKNOWN_ZONE = /\s\(?[A-Z]{1,5}\)?$/i
/** "+0100 CET": the offset is enough. */
const NAMED_OFFSET = /([+-]\d{2}:?\d{2})\s+\(?[A-Z]{1,5}\)?$/i
const ISO_DAY = /^\d{4}(-\d{2}){0,2}$/
const ISO_TIME = /(\dT[\d:.]{4,20})\s{0,9}([+-]\d{2})(:?\d{2})?$/
/** The runtime reads such a day as a month. */
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})\b/
const TWELVE_HOURS = /\d\s?[AP]M$/i

/** More than any date has; the pattern of a zone takes quadratic time. */
const MAX_LENGTH = 200

const hasZone = (text: string): boolean => text.includes(":") && ZONE.test(text) && !TWELVE_HOURS.test(text)

/** A time without a known zone is read as UTC, independent of the server's zone. */
export const dateOf = (text: string | null | undefined): Date | null => {
  const trimmed = text?.trim() ?? ""
  if (trimmed.length > MAX_LENGTH) return null
  const given = trimmed.replace(NAMED_OFFSET, "$1").replace(DAY_FIRST, "$3-$2-$1")
    .replace(ISO_TIME, (_, time, hours, minutes = "00") => `${time}${hours}${minutes}`)
  const zoned = ISO_DAY.test(given) || hasZone(given) ? given : `${given}${/\dT\d/.test(given) ? "Z" : " GMT"}`
  const date = [zoned, zoned.replace(UNKNOWN_ZONE, " GMT")].map((form) => new Date(form))
    .find((moment) => !Number.isNaN(moment.getTime()))
  return date === undefined || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9_999 ? null : date
}
