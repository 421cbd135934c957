/** Strings that every backend stores unchanged, with limits in code points. */
import { Schema } from "effect"
import { violated, violatedBy, type Violation } from "./Violation.ts"

/** An unpaired surrogate has no UTF-8 form, and Postgres cannot store U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

/** Replaces what cannot be stored, for derived text. */
export const toStorable = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll("\u0000", "\ufffd")

export const UNSTORABLE: Violation = {
  type: "string_unicode",
  message: "Input should be a valid string, unable to parse raw data as a unicode string"
}

const storable = violatedBy<string>((text) => isStorable(text) ? undefined : UNSTORABLE)

/** Any storable string. */
export const Text = Schema.String.check(storable)

/** A storable string of `minimum` to `maximum` code points. */
export const text = (minimum: number, maximum: number) =>
  Text.check(Schema.isMinCodePoints(minimum), Schema.isMaxCodePoints(maximum))

const EMPTY: Violation = {
  type: "string_too_short",
  message: "String should have at least 1 character",
  context: { min_length: 1 }
}

/** At least one character that is not white space. */
const notBlank = violatedBy<string>(
  (value) => value.trim() === "" ? EMPTY : undefined,
  { minLength: 1, pattern: "\\S" }
)

/** A display name: 1 to 255 characters, not blank. */
export const Name = Text.check(notBlank, Schema.isMaxCodePoints(255))

/** The words to find in a list; blank ones would find everything. */
export const Words = Text.check(notBlank, Schema.isMaxCodePoints(1_000))

/** In characters. */
export const MAX_METADATA_KEY = 128
export const MAX_METADATA_VALUE = 2_000

const keyFault = (key: string): Violation | undefined => {
  if (!isStorable(key)) return UNSTORABLE
  if (key === "") return EMPTY
  return Array.from(key.slice(0, 300)).length > MAX_METADATA_KEY
    ? {
      type: "string_too_long",
      message: `String should have at most ${MAX_METADATA_KEY} characters`,
      context: { max_length: MAX_METADATA_KEY }
    }
    : undefined
}

// A check rather than the key schema of a record, which would drop invalid keys.
const keys = violated<Readonly<Record<string, unknown>>>((map) =>
  Object.keys(map).flatMap((key) => {
    const fault = keyFault(key)
    return fault === undefined ? [] : [{ ...fault, path: [key, "[key]"] }]
  }), { propertyNames: { minLength: 1, maxLength: MAX_METADATA_KEY } })

/** Client metadata: at most 50 entries, keys of 1 to 128 characters, values up to 2,000. */
export const Metadata = Schema.Record(Schema.String, text(0, MAX_METADATA_VALUE)).check(
  keys,
  Schema.isMaxProperties(50)
)
export type Metadata = typeof Metadata.Type
