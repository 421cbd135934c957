/** A hash over an item's fields in canonical form, to detect whether it equals the stored one. */
import type { Schema } from "effect"
import { canonicalJson, canonicalText } from "../internal/canonicalJson.ts"
import { canonicalParts } from "../internal/jsonParts.ts"
import { sha256HexNow, sha256Parts } from "../internal/sha256.ts"

/** Bytes of an item that is worked on in one piece. */
export const SMALL = 65_536

/** A field whose JSON is known. */
interface Written {
  readonly name: string
  readonly json: string
}

const withWritten = (fields: Schema.JsonObject, { json, name }: Written): string =>
  `{${
    Object.entries(fields).map(([field, value]) =>
      `"${field}":${field === name ? canonicalText(value, json) : canonicalJson(value)}`
    ).join(",")
  }}`

/**
 * The names of `fields` are plain and in ascending order. `size` is about that of the fields. Pauses at each `yield`.
 */
export function* fingerprint(
  fields: Schema.JsonObject,
  size: number,
  written: Written | null = null
): Generator<void, string> {
  if (size <= SMALL) return sha256HexNow(written === null ? canonicalJson(fields) : withWritten(fields, written))
  const hash = sha256Parts()
  for (const part of canonicalParts(fields)) {
    hash.add(part)
    yield
  }
  return hash.hex()
}
