/** A public API with scripted responses. */
import { Effect } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

export const CONNECTORS = "/v1/custom-connectors"
export const CONNECTIONS = "/v1/connections"
export const DOCUMENTS = "/v1/documents"

export const connector = (at: number, isActive = true) => ({
  connector_id: `019a0000-0000-7000-8000-${String(at).padStart(12, "0")}`,
  name: `Wiki ${at}`,
  source_name: `wiki-${at}`,
  created_at: "2026-01-01T00:00:00.000Z",
  created_by: { type: "user", id: "operator" },
  is_active: isActive,
  accepted_kinds: [],
  metadata: {}
})

/** Answers each path with a body, or with an error of that code. Also returns the paths that were asked for. */
export const answering = (answers: { readonly [path: string]: unknown }) =>
<A, E>(
  effect: Effect.Effect<A, E, HttpClient.HttpClient>
) => {
  const asked: Array<string> = []
  const client = HttpClient.make((request, { pathname }) => {
    asked.push(pathname)
    const answer = answers[pathname]
    const [status, body] = typeof answer === "string" ? [403, { error_code: answer, message: "No." }] : [200, answer]
    return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body, { status })))
  }).pipe(HttpClient.mapRequest(HttpClientRequest.prependUrl("http://tributary")))
  return Effect.map(
    Effect.result(Effect.provideService(effect, HttpClient.HttpClient, client)),
    (result) => ({ asked, result })
  )
}
