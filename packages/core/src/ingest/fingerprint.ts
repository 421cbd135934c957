/** A hash over an item's fields in canonical form, to detect whether it equals the stored one. */
import type { Schema } from "effect"
import { canonicalJson } from "../internal/canonicalJson.ts"
import { canonicalParts } from "../internal/jsonParts.ts"
import { sha256HexNow, sha256Parts } from "../internal/sha256.ts"

/** Bytes of an item that is hashed in one piece. */
const SMALL = 65_536

/** `size` is about that of the fields. Pauses at each `yield`. */
export function* fingerprint(fields: Schema.JsonObject, size: number): Generator<void, string> {
  if (size <= SMALL) return sha256HexNow(canonicalJson(fields))
  const hash = sha256Parts()
  for (const part of canonicalParts(fields)) {
    hash.add(part)
    yield
  }
  return hash.hex()
}
