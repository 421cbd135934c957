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

/** What is wrong is the request, which may be too long. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 413, 422])

/** A refusal with a status of HTTP, in the response or in an event of it. */
export const refusedWith = (status: number): AiError.AiError => {
  const http = { response: { status, headers: {} } }
  return failure(
    REJECTIONS.has(status)
      ? new AiError.InvalidRequestError({ http })
      : AiError.reasonFromHttpStatus({ status, http })
  )
}

/** The error of an event, by the status that servers put into its code, as a number or as text. */
const reported = (error: unknown): AiError.AiError => {
  const status = Number(Predicate.hasProperty(error, "code") ? error.code : undefined)
  return Number.isInteger(status) && status >= 400 && status < 600
    ? refusedWith(status)
    : failure(new AiError.InvalidResponseError({ description: "the server reported an error" }))
}

const interrupted = () =>
  failure(new AiError.InternalProviderError({ description: "the reply ended before it was complete" }))

/** The longest event in characters. */
const MAX_EVENT_LENGTH = 1_000_000

/** What servers and proxies send between events, as a comment, while the model is at work. */
const KEEP_ALIVE = ""

/**
 * The data of the events that a piece of the text completes, or `KEEP_ALIVE`. A `retry` is left out: a lost reply is
 * not resumed.
 */
const makeEvents = () => {
  let completed: Array<string> = []
  const parser = Sse.makeParser((event) => {
    if (event._tag === "Event") completed.push(event.data)
  }, { maxEventSize: MAX_EVENT_LENGTH })
  return (text: string): Effect.Effect<ReadonlyArray<string>, AiError.AiError> =>
    Effect.suspend(() => {
      completed = []
      if (parser.feed(text) !== undefined) return Effect.fail(unreadable())
      return Effect.succeed(completed.length === 0 ? [KEEP_ALIVE] : completed)
    })
}

/**
 * Fails when the reply ends without saying that it is complete. A chunk without text, such as a thought, becomes an
 * empty piece, and what is no event becomes metadata: the server is not silent.
 */
export const readChunks = (
  bytes: Stream.Stream<Uint8Array, AiError.AiError>
): Stream.Stream<Response.StreamPartEncoded, AiError.AiError> =>
  Stream.suspend(() => {
    let reason: string | null = null
    let isDone = false
    const partOf = Effect.fnUntraced(function*(data: string) {
      if (data === KEEP_ALIVE) return { type: "response-metadata" } as const
      const { choices, error } = yield* Effect.mapError(Schema.decodeEffect(Chunk)(data), unreadable)
      if (!Predicate.isNullish(error)) return yield* reported(error)
      reason = choices?.[0]?.finish_reason ?? reason
      return { type: "text-delta", id: "0", delta: choices?.[0]?.delta?.content ?? "" } as const
    })
    return bytes.pipe(
      Stream.decodeText,
      Stream.mapEffect(makeEvents()),
      Stream.flattenIterable,
      Stream.takeWhile((data) => !(isDone = data.trim() === "[DONE]")),
      Stream.mapEffect(partOf),
      Stream.concat(
        Stream.suspend(() => isDone || reason !== null ? Stream.succeed(finish(reason)) : Stream.fail(interrupted()))
      )
    )
  })
