/** Dates as feeds and mails write them, in RFC 5322, ISO 8601 and neither. */

const ZONE = /(?:\d\s*Z|[+-]\d{2}:?\d{2}(?:\s*\(.*\))?|\s\(?[A-Z]{1,5}\)?)$/i
const UNKNOWN_ZONE = /\s\(?[A-Z]{1,5}\)?$/i

/** A time without a known zone is read as UTC, independent of the server's zone. */
export const dateOf = (text: string | null | undefined): Date | null => {
  const given = text?.trim() ?? ""
  const zoned = ZONE.test(given) || !given.includes(":") ? given : `${given}${given.includes("T") ? "Z" : " GMT"}`
  const date = [zoned, zoned.replace(UNKNOWN_ZONE, " GMT")].map((form) => new Date(form))
    .find((moment) => !Number.isNaN(moment.getTime()))
  return date === undefined || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9_999 ? null : date
}
