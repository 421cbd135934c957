/** Parses a multipart form in memory; nothing is written to disk. */
import { inSlices } from "@tributary/core/Slices"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as MultipartParser from "effect/http/MultipartParser"
import { CONNECTOR, sizeText } from "../api/BodyLimit.ts"
import { PayloadTooLargeError } from "../api/ErrorBody.ts"
import { type BodyKind, readBytes } from "./RequestBytes.ts"

/** More than any accepted form has. */
const MAX_PARTS = 20
/** Metadata of a file is in a field, so headers are short. */
const MAX_FIELD = CONNECTOR

const FORM_BODY: BodyKind = {
  // A boundary has at most 70 characters (RFC 2046), and the parser takes quadratic time in its length.
  mediaType: /^multipart\/form-data[ \t]*;(?=.*\bboundary=.).{1,200}$/i,
  byDefault: false,
  message:
    "The request body must be multipart/form-data with a boundary of at most 70 characters, without a content encoding."
}

export interface FormPart {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Null for a plain field. */
  readonly file: { readonly name: string; readonly contentType: string } | null
}

/** The parts in order; null if the form is malformed. */
export type Form = ReadonlyArray<FormPart> | null

interface Piece extends Omit<FormPart, "bytes"> {
  readonly chunks: ReadonlyArray<Uint8Array>
}

/** Copies the part, so that keeping it does not keep the whole form in memory. */
function* joined(chunks: ReadonlyArray<Uint8Array>): Generator<void, Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    yield
  }
  return bytes
}

interface Parsed {
  readonly parts: ReadonlyArray<FormPart>
  readonly error: MultipartParser.MultipartError | null
}

/** Senders of forms encode a quotation mark in a name, and no percent sign (WHATWG HTML). */
const unquoted = (name: string): string => name.replaceAll("%22", "\"")

/** The charset of a text; other parameters of its type say nothing about it. */
const withCharset = (contentType: string, charset: string | undefined): string =>
  charset === undefined ? contentType : `${contentType}; charset=${charset}`

/** Bytes that are parsed between two pauses. */
const STEP = 262_144

/** Pauses at each `yield`. */
function* parseForm(bytes: Uint8Array, contentType: string): Generator<void, Parsed> {
  const pieces: Array<Piece> = []
  let error: MultipartParser.MultipartError | null = null
  const parser = MultipartParser.make({
    headers: { "content-type": contentType },
    maxParts: MAX_PARTS,
    maxFieldSize: MAX_FIELD,
    onField: ({ name }, value) => void pieces.push({ name, chunks: [value], file: null }),
    onFile: ({ contentType, contentTypeParameters: { charset }, filename = "", name }) => {
      const chunks: Array<Uint8Array> = []
      return (chunk) => {
        if (chunk !== null) {
          chunks.push(chunk)
          return
        }
        const file = { name: unquoted(filename), contentType: withCharset(contentType, charset) }
        pieces.push({ name, chunks, file })
      }
    },
    onError: (found) => {
      error ??= found
    },
    onDone: () => {}
  })
  try {
    for (let start = 0; start < bytes.length; start += STEP) {
      parser.write(bytes.subarray(start, start + STEP))
      yield
    }
    parser.end()
  } catch {
    // The parser throws on some malformed headers instead of reporting them.
    error ??= { _tag: "EndNotReached" }
  }
  const parts: Array<FormPart> = []
  for (const { chunks, file, name } of pieces) parts.push({ name, bytes: yield* joined(chunks), file })
  return { parts, error }
}

export const readForm = Effect.fnUntraced(function*(request: HttpServerRequest, limit: number) {
  const bytes = yield* readBytes(request, FORM_BODY, limit)
  if (bytes.length === 0) return []
  const { error, parts } = yield* inSlices(parseForm(bytes, request.headers["content-type"] ?? ""))
  if (error?._tag === "ReachedLimit") {
    const message = error.limit === "MaxParts"
      ? `The form has more than ${MAX_PARTS} parts.`
      : `A field of the form is larger than ${sizeText(MAX_FIELD)}.`
    return yield* new PayloadTooLargeError({ message })
  }
  return error === null ? parts : null
})
