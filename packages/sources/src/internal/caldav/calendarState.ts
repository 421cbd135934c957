/** What a sync of a calendar keeps for the next one. */
import { Schema } from "effect"
import { cursorFormat } from "../cursor.ts"
import type { Window } from "./readEvent.ts"

/** Whether `known` is of all there is: what it does not know has changed since. */
export const isWhole = Schema.optionalKey(Schema.Boolean)

export const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  /** The month of the last complete reading: the occurrences that are named reach a year ahead of it. */
  month: Schema.String,
  token: Schema.NullOr(Schema.String),
  /** As `Fingerprints`: of all there is, or with a token that tells what changed, of what a cut sync has taken. */
  known: Schema.String,
  isWhole
}))

const YEAR = 366 * 86_400_000

export const monthOf = (now: Date): string => now.toISOString().slice(0, 7)

export const windowOf = (now: Date, since: Date | null): Window => ({
  // The same for as long as nothing is read again.
  now: new Date(`${monthOf(now)}-01T00:00:00Z`),
  from: since ?? new Date(now.getTime() - YEAR),
  to: new Date(now.getTime() + YEAR)
})
