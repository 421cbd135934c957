/** What syncs of calendars keep for the next one, and the time that they cover. */
import { DAY } from "@tributary/core/model/Day"
import { Schema } from "effect"
import type { Window } from "./occurrences.ts"

/** The fields of the cursors of all kinds of calendars. */
export const CalendarState = {
  /** The month of the last complete sync. In the next one, occurrences are named up to a later day. */
  month: Schema.String,
  /** As `Fingerprints`. */
  known: Schema.String,
  /** Whether `known` covers everything, so that an unknown object has changed since. */
  isWhole: Schema.optionalKey(Schema.Boolean)
}

const YEAR = 366 * DAY

export const monthOf = (now: Date): string => now.toISOString().slice(0, 7)

export const windowOf = (now: Date, since: Date | null): Window => ({
  // Unchanged until something is read again.
  now: new Date(`${monthOf(now)}-01T00:00:00Z`),
  from: since ?? new Date(now.getTime() - YEAR),
  to: new Date(now.getTime() + YEAR)
})
