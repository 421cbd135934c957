/** Where a database begins to read: all matches begin then or later, or began before and lasted. */
import type { DocumentFilter } from "./DocumentStore.ts"

/** The latest beginning of all ranges that a match overlaps, see `overlaps`. */
export const latestBeginning = (
  { from, range, shownTo }: Pick<DocumentFilter, "from" | "range" | "shownTo">
): Date | null =>
  [from, range?.inside ? range.from : null, shownTo?.from]
    .reduce<Date | null>((latest, date) => date && (latest === null || date > latest) ? date : latest, null)
