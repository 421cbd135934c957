/** Tells whether an item says the same as the one stored before: a hash over its fields in one fixed spelling. */
import type { Effect, Schema } from "effect"
import { sha256Hex } from "./sha256.ts"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : a > b ? 1 : 0

/** Compact JSON with the keys of every object in one order, since JSON gives their order no meaning. */
const canonical = (value: Schema.Json): string =>
  JSON.stringify(
    value,
    (_, inner: unknown) => isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byName)) : inner
  )

export const fingerprint = (fields: Schema.JsonObject): Effect.Effect<string> => sha256Hex(canonical(fields))
