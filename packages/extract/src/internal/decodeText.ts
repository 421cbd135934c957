/** Bytes to text. Only UTF-8 is taken: a wrong guess would store, and later quote, words that nobody wrote. */
import { Unreadable } from "@tributary/core/ports/TextExtractor"
import { Effect } from "effect"

const looksLikeUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The text, without a byte order mark. */
export const decodeText = (bytes: Uint8Array): Effect.Effect<string, Unreadable> =>
  Effect.suspend(() => {
    if (looksLikeUtf16(bytes)) return Effect.fail(new Unreadable({ message: "The file is UTF-16. Send it in UTF-8." }))
    const text = decoded(bytes)
    if (text === null) {
      return Effect.fail(
        new Unreadable({ message: "The file is not valid UTF-8, so its text cannot be read for certain." })
      )
    }
    return text.includes("\u0000")
      ? Effect.fail(new Unreadable({ message: "The file holds NUL characters, so it is no text." }))
      : Effect.succeed(text)
  })
