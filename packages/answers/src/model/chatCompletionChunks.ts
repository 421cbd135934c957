/** Reads the server-sent events of a streamed chat completion. */
import { Effect, Predicate, Schema, Stream } from "effect"
import * as AiError from "effect/ai/AiError"
import type * as Response from "effect/ai/Response"
import * as Sse from "effect/encoding/Sse"

export const failure = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "OpenAiLanguageModel", method: "streamText", reason })

const nullable = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

const Chunk = Schema.fromJsonString(Schema.Struct({
  error: nullable(Schema.Unknown),
  choices: nullable(Schema.Array(Schema.Struct({
    finish_reason: nullable(Schema.String),
    delta: nullable(Schema.Struct({ content: nullable(Schema.String) }))
  })))
}))

const FINISH_REASONS: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter"
}

const finish = (reason: string | null): Response.StreamPartEncoded => ({
  type: "finish",
  reason: FINISH_REASONS[reason ?? ""] ?? "unknown",
  usage: { inputTokens: {}, outputTokens: {} }
})

export const unreadable = () =>
  failure(new AiError.InvalidOutputError({ description: "the reply is no streamed chat completion" }))

const interrupted = () =>
  failure(new AiError.InternalProviderError({ description: "the reply ended before it was complete" }))

/** The longest event in characters. */
const LONGEST_EVENT = 1_000_000

/** The data of the events that a piece of the text completes. A `retry` is left out: a lost reply is not resumed. */
const makeEvents = () => {
  let completed: Array<string> = []
  const parser = Sse.makeParser((event) => {
    if (event._tag === "Event") completed.push(event.data)
  }, { maxEventSize: LONGEST_EVENT })
  return (text: string): Effect.Effect<ReadonlyArray<string>, AiError.AiError> =>
    Effect.suspend(() => {
      completed = []
      return parser.feed(text) === undefined ? Effect.succeed(completed) : Effect.fail(unreadable())
    })
}

/**
 * Fails when the reply ends without saying that it is complete. A chunk without text, such as a thought, becomes an
 * empty piece: the server is not silent.
 */
export const readChunks = (
  bytes: Stream.Stream<Uint8Array, AiError.AiError>
): Stream.Stream<Response.StreamPartEncoded, AiError.AiError> =>
  Stream.suspend(() => {
    let reason: string | null = null
    let isDone = false
    return bytes.pipe(
      Stream.decodeText,
      Stream.mapEffect(makeEvents()),
      Stream.flattenIterable,
      Stream.takeWhile((data) => !(isDone = data.trim() === "[DONE]")),
      Stream.mapEffect((data) => Effect.mapError(Schema.decodeEffect(Chunk)(data), unreadable)),
      Stream.mapEffect((chunk) =>
        Predicate.isNullish(chunk.error) ? Effect.succeed(chunk) : Effect.fail(interrupted())
      ),
      Stream.map(({ choices }) => {
        reason = choices?.[0]?.finish_reason ?? reason
        return choices?.[0]?.delta?.content ?? ""
      }),
      Stream.map((delta): Response.StreamPartEncoded => ({ type: "text-delta", id: "0", delta })),
      Stream.concat(
        Stream.suspend(() => isDone || reason !== null ? Stream.succeed(finish(reason)) : Stream.fail(interrupted()))
      )
    )
  })
