/** The text of a response, whose server may send any amount of it. */
import { Effect, Stream } from "effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Characters; the scores of all texts take a hundredth. */
const MAX_LENGTH = 1_000_000

/** As much of it as fits. */
export const readText = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.suspend(() => {
    let length = 0
    return response.stream.pipe(
      Stream.decodeText,
      Stream.takeWhile((piece) => (length += piece.length) <= MAX_LENGTH),
      Stream.mkString
    )
  })
