/** A hash over an item's fields in canonical form, to detect whether it equals the stored one. */
import type { Effect, Schema } from "effect"
import { canonicalJson } from "../internal/canonicalJson.ts"
import { sha256Hex } from "../internal/sha256.ts"

export const fingerprint = (fields: Schema.JsonObject): Effect.Effect<string> => sha256Hex(canonicalJson(fields))
