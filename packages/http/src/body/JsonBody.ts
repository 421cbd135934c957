/** Parses a body as JSON: UTF-8, at most 200 levels deep, with a limited number of values. */
import { endSlice } from "@tributary/core/Slices"
import { Result } from "effect"
import { Buffer, isAscii } from "node:buffer"
import { PayloadTooLargeError } from "../api/ErrorBody.ts"
import { alteredInteger } from "./JsonIntegers.ts"
import { LARGE, survey } from "./JsonSurvey.ts"
import { countCodePoints, type JsonFault, jsonFault } from "./JsonSyntax.ts"
import { parseParted } from "./PartedJson.ts"
import type { Location, Problem } from "@tributary/core/validation/Problem"
import type { BodyKind } from "./RequestBytes.ts"

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

const invalid = ({ position, reason }: JsonFault): Problem => ({
  type: "json_invalid",
  loc: ["body", position],
  msg: "JSON decode error",
  input: {},
  ctx: { error: reason }
})

export interface ParsedBody {
  /** `undefined` for an empty body. */
  readonly value: unknown
  /** The position of the first integer that would lose digits. */
  readonly altered: () => Location | undefined
  /** Whether it takes long to validate. */
  readonly isLong: boolean
}

type Parsed = Result.Result<ParsedBody, Problem | PayloadTooLargeError>

const notAltered = (): undefined => undefined

const NOTHING: Parsed = Result.succeed({ value: undefined, altered: notAltered, isLong: false })

/** Parses the bytes of a body. Pauses at each `yield`. */
export function* parseBody(bytes: Uint8Array): Generator<void, Parsed> {
  if (bytes.length === 0) return NOTHING
  let text: string
  try {
    text = yield* decoded(bytes)
  } catch {
    return Result.fail(invalid({ position: yield* charactersBeforeFault(bytes), reason: "Invalid UTF-8" }))
  }
  if (bytes.length > LARGE) {
    endSlice()
    yield
  }
  const looked = yield* survey(text)
  if (looked._tag === "TooMany") return Result.fail(new PayloadTooLargeError({ message: looked.message }))
  try {
    if (looked._tag === "Sound") {
      const { hasLongNumber, isLong } = looked
      if (isLong) {
        const { altered, value } = yield* parseParted(text, looked)
        return Result.succeed({ value, altered: () => altered, isLong })
      }
      yield
      const altered = hasLongNumber ? () => alteredInteger(text) : notAltered
      return Result.succeed({ value: JSON.parse(text), altered, isLong })
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  yield
  return Result.fail(invalid(yield* jsonFault(text)))
}
