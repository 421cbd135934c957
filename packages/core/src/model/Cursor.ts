/** Cursors of paged lists: opaque, and refused if they belong to another list. */
import { Effect, Option, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { InvalidCursor } from "./Page.ts"

/** Longer than any cursor; longer text is not decoded. */
export const MAX_CURSOR_LENGTH = 11_000

export interface Cursor<A> {
  readonly encode: (value: A) => string
  /** Whether a text is a cursor of this list. */
  readonly accepts: (text: string) => boolean
  /** Null means the beginning, and stays null. */
  readonly decode: (text: string | null) => Effect.Effect<A | null, InvalidCursor>
}

const fromBase64Url = (text: string): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0))
  )

/** The cursor of the list called `list`. Its values must be representable in JSON. */
export const cursorOf = <Encoded, A extends Encoded>(list: string, value: Schema.Codec<A, Encoded>): Cursor<A> => {
  // Made when it is needed: each search has a list of its own, and most have no cursor.
  let decodeJson: ((json: string) => Option.Option<readonly [string, A]>) | undefined
  const read = (text: string): Option.Option<A> => {
    if (text.length > MAX_CURSOR_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return Option.none()
    try {
      decodeJson ??= Schema.decodeOption(Schema.fromJsonString(Schema.Tuple([Schema.Literal(list), value])))
      return Option.map(decodeJson(fromBase64Url(text)), ([, value]) => value)
    } catch {
      return Option.none()
    }
  }
  return {
    accepts: (text) => Option.isSome(read(text)),
    encode: (value) => Base64Url.encode(JSON.stringify([list, value])),
    decode: (text) =>
      text === null
        ? Effect.succeed(null)
        : Effect.fromOption(read(text), () => new InvalidCursor())
  }
}
