/** Columns of a partial update. */
import type { Value } from "./SqliteConnection.ts"

const isJson = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Date)

/** Columns that change; what is undefined stays, and lists and objects are stored as JSON. */
export const changedColumns = (change: object) => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return {
    /** The end of a SET that changes another column before. */
    names: given.map(([name]) => `, ${name} = ?`).join(""),
    values: given.map(([, value]): Value => isJson(value) ? JSON.stringify(value) : value)
  }
}
