/** Tells whether an item says the same as the one stored before: a hash over its fields in one fixed spelling. */
import type { Effect, Schema } from "effect"
import { canonicalJson } from "../internal/canonicalJson.ts"
import { sha256Hex } from "../internal/sha256.ts"

export const fingerprint = (fields: Schema.JsonObject): Effect.Effect<string> => sha256Hex(canonicalJson(fields))
