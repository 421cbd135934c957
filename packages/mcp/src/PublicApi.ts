/**
 * The public API as the tools use it. A tool is one or more requests of that API, sent with the credential of the
 * connected client, so scopes, rate windows, quotas, narrowed tokens and errors are those of the API.
 */
import { jsonBytes } from "@tributary/core/jsonBytes"
import { parseJson } from "@tributary/core/model/parseJson"
import { inSlices } from "@tributary/core/Slices"
import { Effect, Schema, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Refused } from "./Refused.ts"

const NOT_UNDERSTOOD = Refused.of(
  "internal_server_error",
  "The server sent an answer that is not of the Tributary API."
)

const UNREACHABLE = Refused.of("service_unavailable", "The server does not answer. Try again later.")

const json = (text: string): Effect.Effect<Schema.Json, Refused> =>
  Effect.try({ try: () => parseJson(text), catch: () => NOT_UNDERSTOOD })

const bodyOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.flatMap(Effect.mapError(response.text, () => UNREACHABLE), json)

const accepted = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<HttpClientResponse.HttpClientResponse, Refused> =>
  response.status < 300
    ? Effect.succeed(response)
    : Effect.flatMap(bodyOf(response), (body) => Effect.fail(new Refused({ body })))

const send = (request: HttpClientRequest.HttpClientRequest) =>
  HttpClient.execute(request).pipe(Effect.mapError(() => UNREACHABLE), Effect.flatMap(accepted))

/** The JSON at a path, whose ids are percent-encoded. */
export const get = (path: string) => Effect.flatMap(send(HttpClientRequest.get(path)), bodyOf)

const withBody = (path: string, body: object) => HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), body)

export const post = (path: string, body: object) => Effect.flatMap(send(withBody(path, body)), bodyOf)

/** The same, for a body that may be long: it is written in slices. */
export const postLong = (path: string, body: Schema.JsonObject) =>
  Effect.flatMap(
    inSlices(jsonBytes(body)),
    (bytes) =>
      Effect.flatMap(
        send(HttpClientRequest.bodyUint8Array(HttpClientRequest.post(path), bytes, "application/json")),
        bodyOf
      )
  )

/** The fields of an answer that a tool reads. */
export const expect = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return <E, R>(body: Effect.Effect<Schema.Json, E, R>) =>
    Effect.flatMap(body, (value) => Effect.mapError(decode(value), () => NOT_UNDERSTOOD))
}

const isEventStream = ({ headers }: HttpClientResponse.HttpClientResponse): boolean =>
  headers["content-type"]?.startsWith("text/event-stream") === true

const eventsOf = (response: HttpClientResponse.HttpClientResponse) =>
  response.stream.pipe(
    Stream.decodeText(),
    Stream.pipeThroughChannel(Sse.decode()),
    Stream.mapError(() => UNREACHABLE),
    Stream.mapEffect(({ data, event }) => Effect.map(json(data), (data) => ({ event, data })))
  )

/**
 * The server-sent events that answer a request. A way to the server that carries whole answers only, as the control
 * socket does, leads to the last event at once.
 */
export const postForEvents = (path: string, body: object) =>
  Stream.unwrap(
    Effect.map(
      send(HttpClientRequest.setHeader(withBody(path, body), "accept", "text/event-stream")),
      (response) =>
        isEventStream(response)
          ? eventsOf(response)
          : Stream.fromEffect(Effect.map(bodyOf(response), (data) => ({ event: "done", data })))
    )
  )
