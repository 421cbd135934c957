/** Parses a body as JSON: UTF-8, at most 200 levels deep, with a limited number of values. */
import { endSlice } from "@tributary/core/Slices"
import { Result } from "effect"
import { Buffer, isAscii } from "node:buffer"
import { PayloadTooLargeError } from "../api/ErrorBody.ts"
import { readJson, TooManyValues } from "./JsonReader.ts"
import type { Location, Problem } from "@tributary/core/validation/Problem"
import { type BodyKind, LARGE } from "./RequestBytes.ts"

/** Without a media type, a body is parsed as JSON. */
export const JSON_BODY: BodyKind = {
  mediaType: /^application\/(?:[\w!#$&^.-]+\+)?json[ \t]*(?:;.*)?$/i,
  byDefault: true,
  message: "The request body must be JSON, without a content encoding."
}

// The decoder drops a leading byte order mark.
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Throws if the bytes are not UTF-8. Pauses at each `yield`. */
function* decoded(bytes: Uint8Array): Generator<void, string> {
  if (bytes.length <= LARGE) return utf8.decode(bytes)
  if (isAscii(bytes)) {
    endSlice()
    yield
    // One copy, without the parts.
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
  }
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const parts: Array<string> = []
  for (let start = 0; start < bytes.length; start += LARGE) {
    parts.push(decoder.decode(bytes.subarray(start, start + LARGE), { stream: true }))
    yield
  }
  parts.push(decoder.decode())
  endSlice()
  yield
  return parts.join("")
}

/** Characters between two pauses. */
const CHARACTERS = 1_000_000

/** Counts code points before an index. Pauses at each `yield`. */
function* countCodePoints(text: string, end: number): Generator<void, number> {
  let count = end
  for (let index = 1; index < end; index++) {
    if (index % CHARACTERS === 0) yield
    const unit = text.charCodeAt(index)
    const before = text.charCodeAt(index - 1)
    if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff) count--
  }
  return count
}

const decodes = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The number of characters before the first byte that is not UTF-8. */
function* charactersBeforeFault(bytes: Uint8Array): Generator<void, number> {
  let characters = 0
  let start = 0
  while (true) {
    let end = Math.min(start + LARGE, bytes.length)
    for (let back = 0; back < 3 && isContinuation(bytes[end]); back++) end--
    const part = bytes.subarray(start, end)
    if (!decodes(part) || end === bytes.length) break
    characters += part.reduce((count, byte) => isContinuation(byte) ? count : count + 1, 0)
    start = end
    yield
  }
  let [valid, wrong] = [0, Math.min(LARGE, bytes.length - start) + 1]
  while (wrong - valid > 1) {
    const middle = (valid + wrong) >>> 1
    if (decodes(bytes.subarray(start, start + middle))) valid = middle
    else wrong = middle
  }
  const rest = new TextDecoder("utf-8").decode(bytes.subarray(start, start + valid), { stream: true })
  return characters + (yield* countCodePoints(rest, rest.length))
}

/** `position` is in code points from 0. */
const invalid = (position: number, reason: string): Problem => ({
  type: "json_invalid",
  loc: ["body", position],
  msg: "JSON decode error",
  input: {},
  ctx: { error: reason }
})

interface ParsedBody {
  /** `undefined` for an empty body. */
  readonly value: unknown
  /** The place of an integer that has lost digits. */
  readonly altered: Location | undefined
  /** Whether it takes long to validate. */
  readonly isLong: boolean
}

const NOTHING: ParsedBody = { value: undefined, altered: undefined, isLong: false }

/** Longer bodies, in bytes, and large ones with more values take long to validate. */
const LONG = 2_000_000
const MANY = 20_000

/** Parses the bytes of a body. Pauses at each `yield`. */
export function* parseBody(
  bytes: Uint8Array
): Generator<void, Result.Result<ParsedBody, Problem | PayloadTooLargeError>> {
  if (bytes.length === 0) return Result.succeed(NOTHING)
  let text: string
  try {
    text = yield* decoded(bytes)
  } catch {
    return Result.fail(invalid(yield* charactersBeforeFault(bytes), "Invalid UTF-8"))
  }
  if (bytes.length > LARGE) {
    endSlice()
    yield
  }
  const read = yield* readJson(text)
  if (Result.isSuccess(read)) {
    const { altered, count, value } = read.success
    const isLong = bytes.length > LONG || (bytes.length > LARGE && count > MANY)
    return Result.succeed({ value, altered, isLong })
  }
  const { failure } = read
  return Result.fail(
    failure instanceof TooManyValues
      ? new PayloadTooLargeError({ message: failure.message })
      : invalid(yield* countCodePoints(text, failure.index), failure.message)
  )
}
