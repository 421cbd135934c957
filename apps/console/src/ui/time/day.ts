/** A day, in milliseconds. */
export const DAY = 86_400_000

/** Whether it is a day as addresses and date fields write it, `YYYY-MM-DD`. */
export const isDay = (value: unknown): value is string =>
  // A day that its month does not have is read as one of the next month.
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)
