/** Cursors of paged lists: opaque, and refused if they belong to another list. */
import { Effect, Option, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { InvalidCursor } from "./Page.ts"
import { violatedBy, type Violation } from "./Violation.ts"

/** Longer than any cursor; longer text is not decoded. */
const MAX_LENGTH = 11_000

/** Cursors of one list: `A` is the position of an entry. */
export interface Cursor<A> {
  readonly encode: (value: A) => string
  /** Whether a text is a cursor of this list. */
  readonly accepts: (text: string) => boolean
  /** Null means the beginning, and stays null. */
  readonly decode: (text: string | null) => Effect.Effect<A | null, InvalidCursor>
}

export const INVALID_CURSOR: Violation = { type: "value_error", message: "Value error, not a valid cursor" }

const fromBase64Url = (text: string): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0))
  )

/** Reads the name of a cursor's list and the cursor's value. */
const readerOf = <Encoded, A extends Encoded>(list: Schema.Codec<string>, value: Schema.Codec<A, Encoded>) => {
  // Made when it is needed: each search has a list of its own, and most have no cursor.
  let decodeJson: ((json: string) => Option.Option<readonly [string, A]>) | undefined
  return (text: string): Option.Option<readonly [list: string, value: A]> => {
    if (text.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return Option.none()
    try {
      decodeJson ??= Schema.decodeOption(Schema.fromJsonString(Schema.Tuple([list, value])))
      return decodeJson(fromBase64Url(text))
    } catch {
      return Option.none()
    }
  }
}

const readAny = readerOf(Schema.String, Schema.Unknown)

/**
 * The cursor of any list in a request: what is no cursor at all is found with the other problems of the request, before
 * the list is.
 */
export const CursorText = Schema.String.check(
  violatedBy((text) => Option.isSome(readAny(text)) ? undefined : INVALID_CURSOR, {
    minLength: 1,
    maxLength: MAX_LENGTH
  })
)

/** The cursor of the list called `list`. Its values must be representable in JSON. */
export const cursorOf = <Encoded, A extends Encoded>(list: string, value: Schema.Codec<A, Encoded>): Cursor<A> => {
  const read = readerOf(Schema.Literal(list), value)
  return {
    accepts: (text) => Option.isSome(read(text)),
    encode: (value) => Base64Url.encode(JSON.stringify([list, value])),
    decode: (text) =>
      text === null
        ? Effect.succeed(null)
        : Effect.fromOption(Option.map(read(text), ([, value]) => value), () => new InvalidCursor())
  }
}
