/** Sends requests to the server that holds a data directory, over its socket. */
import * as ControlChannel from "@tributary/node/ControlChannel"
import { refusal } from "@tributary/http/Refusal"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { API, type ApiRequest, ApiResponse } from "../storage/ApiRequest.ts"
import { failed } from "../UsageError.ts"
import { overLocalApi } from "./overLocalApi.ts"

/** A long build of the index may delay a response. */
const TIMEOUT = "2 minutes"

/** In milliseconds: an answer of a language model may take so long. Clients give up earlier on what is no question. */
export const ANSWER_TIMEOUT = 600_000

/** The response of the API to a body that is too large; the caller then sends less at a time. */
const tooLarge = (): ApiResponse => refusal("payload_too_large", "The request is too large.")

const firstLine = (text: string): string => text.split("\n", 1)[0]!

const requestTo = (directory: string, timeout: Duration.Input) => (request: ApiRequest) =>
  ControlChannel.request(directory, API, request, { timeout }).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(ApiResponse)),
    Effect.catchTags({
      RequestTooLong: () => Effect.succeed(tooLarge()),
      RequestRefused: ({ message }) => Effect.fail(failed(`The server on ${directory} refused: ${message}.`)),
      ControlChannelForbidden: ({ message }) => Effect.fail(failed(message)),
      ControlChannelBroken: ({ problem }) =>
        Effect.fail(
          failed(`The server on ${directory} does not answer (${firstLine(problem)}). It may be starting or stopping.`)
        ),
      SchemaError: () => Effect.fail(failed(`The server on ${directory} is of another release.`))
    })
  )

/** Null when no server holds the directory. */
export const overSocket = Effect.fnUntraced(function*(directory: string) {
  const health = requestTo(directory, TIMEOUT)({ method: "GET", path: "/healthz", authorization: "", body: "" })
  if ((yield* Effect.catchTag(health, "NoServer", () => Effect.succeed(null))) === null) return null
  const run = Effect.runPromiseWith(yield* Effect.context())
  const send = requestTo(directory, ANSWER_TIMEOUT)
  const stopped = () => Effect.fail(failed(`The server on ${directory} has stopped.`))
  return overLocalApi(
    `The server on ${directory}`,
    (request) => run(Effect.catchTag(send(request), "NoServer", stopped))
  )
})
