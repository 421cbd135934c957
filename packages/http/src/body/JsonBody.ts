/** Reads the bytes of a body as JSON: UTF-8, at most 200 levels deep. */
import { Result } from "effect"
import { countCodePoints, isTooDeep, type JsonFault, jsonFault } from "./JsonSyntax.ts"
import type { Problem } from "./Problem.ts"
import type { Expected } from "./RequestBytes.ts"

/** Without a media type a body is taken for JSON. */
export const JSON_BODY: Expected = {
  mediaType: /^application\/(?:[\w!#$&^.-]+\+)?json[ \t]*(?:;.*)?$/i,
  byDefault: true,
  message: "The request body must be JSON, without a content encoding."
}

// A leading byte order mark is dropped by the decoder itself.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const decodes = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** How many characters stand before the first byte that is not UTF-8. */
const charactersBeforeFault = (bytes: Uint8Array): number => {
  let [valid, invalid] = [0, bytes.length + 1]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1
    if (decodes(bytes.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  return countCodePoints(new TextDecoder("utf-8").decode(bytes.subarray(0, valid), { stream: true }))
}

const invalid = ({ position, reason }: JsonFault): Problem => ({
  type: "json_invalid",
  loc: ["body", position],
  msg: "JSON decode error",
  input: {},
  ctx: { error: reason }
})

export interface ParsedBody {
  readonly text: string
  /** `undefined` for no bytes at all. */
  readonly value: unknown
}

/** The value that the bytes of a body stand for. */
export const parseBody = (bytes: Uint8Array): Result.Result<ParsedBody, Problem> => {
  if (bytes.length === 0) return Result.succeed({ text: "", value: undefined })
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return Result.fail(invalid({ position: charactersBeforeFault(bytes), reason: "Invalid UTF-8" }))
  }
  if (isTooDeep(text)) return Result.fail(invalid(jsonFault(text)))
  try {
    return Result.succeed({ text, value: JSON.parse(text) })
  } catch {
    return Result.fail(invalid(jsonFault(text)))
  }
}
