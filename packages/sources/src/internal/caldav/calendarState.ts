/** The state that a sync of a calendar keeps for the next one. */
import { DAY } from "@tributary/core/model/Day"
import { Schema } from "effect"
import { cursorFormat } from "../cursor.ts"
import type { Window } from "./readEvent.ts"

/** Whether `known` covers everything, so that an unknown object has changed since. */
export const isWhole = Schema.optionalKey(Schema.Boolean)

export const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  /** The month of the last complete sync: occurrences are named up to a year after it. */
  month: Schema.String,
  token: Schema.NullOr(Schema.String),
  /** `Fingerprints` of everything; with a sync token, only of what an interrupted sync has stored. */
  known: Schema.String,
  isWhole
}))

const YEAR = 366 * DAY

export const monthOf = (now: Date): string => now.toISOString().slice(0, 7)

export const windowOf = (now: Date, since: Date | null): Window => ({
  // Unchanged until something is read again.
  now: new Date(`${monthOf(now)}-01T00:00:00Z`),
  from: since ?? new Date(now.getTime() - YEAR),
  to: new Date(now.getTime() + YEAR)
})
