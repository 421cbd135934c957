/** A moment as Postgres reads it in text: the sign in front of a year past 9999 would make it a time zone. */
export const momentText = (date: Date): string => date.toISOString().replace(/^\+0*/, "")

/** A moment as a parameter: in text, which every driver hands on exactly, also far from our time. */
export const moment = (date: Date | null): string | null => date === null ? null : momentText(date)
