/** Column values as @effect/sql-pg gives them, so that one row schema fits both drivers. */
import type { ParserOptions } from "@electric-sql/pglite"
import { types } from "@electric-sql/pglite"

// `infinity` has no Date, there as here: an invalid one.
const instant = (text: string): Date => new Date(text)

export const rowTypes: ParserOptions = {
  [types.INT8]: BigInt,
  [types.DATE]: (text) => text,
  // Wall-clock fields count as UTC, wherever the process runs.
  [types.TIMESTAMP]: (text) => instant(`${text.replace(" ", "T")}Z`),
  [types.TIMESTAMPTZ]: instant,
  [types.BYTEA]: (text) => Uint8Array.from(Buffer.from(text.slice(2), "hex"))
}
