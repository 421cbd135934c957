import { momentText } from "./moment.ts"

/**
 * An array of a parameter, written as Postgres reads it.
 *
 * Drivers infer an array's type from its elements, and fail where all are null, or where numbers differ in size.
 */
export const arrayLiteral = (values: ReadonlyArray<string | number | boolean | Date | null>): string =>
  `{${values.map(element).join(",")}}`

const element = (value: string | number | boolean | Date | null): string => {
  if (value === null) return "NULL"
  if (value instanceof Date) return `"${momentText(value)}"`
  if (typeof value !== "string") return String(value)
  // Looking first is cheap, and most have none.
  return value.includes("\"") || value.includes("\\") ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`
}
