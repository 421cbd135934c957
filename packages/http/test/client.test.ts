// The definition serves clients, too: what the service answers decodes to the models and errors of the core.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Authorization } from "../src/api/Access.ts"
import { Api } from "../src/api/Api.ts"
import { BASE_URL, wire } from "./support/wire.ts"

const client = Effect.gen(function*() {
  const { handle, key } = yield* wire()
  const http = HttpClient.make((request) =>
    Effect.gen(function*() {
      const web = yield* Effect.orDie(HttpClientRequest.toWeb(request))
      const { headers, status, text } = yield* handle(web)
      return HttpClientResponse.fromWeb(request, new Response(text, { headers, status }))
    })
  )
  const credentials = HttpApiMiddleware.layerClient(
    Authorization,
    ({ next, request }) => next(HttpClientRequest.bearerToken(request, key.secret))
  )
  return yield* HttpApiClient.make(Api, { baseUrl: BASE_URL }).pipe(
    Effect.provide(Layer.merge(credentials, Layer.succeed(HttpClient.HttpClient, http)))
  )
})

describe("A client derived from the definition", () => {
  it.effect("reads answers as models", () =>
    Effect.gen(function*() {
      const api = yield* client
      const connector = yield* api.connectors.createConnector({ payload: { name: "Notes", source_name: "notes" } })
      assert.deepStrictEqual(connector.created_at, new Date(0))
      const params = { connector_id: connector.connector_id, external_id: "a/b %" }
      yield* api.ingest.ingestText({ params, payload: { items: [{ external_id: "a/b %", text: "text" }] } })
      assert.strictEqual((yield* api.documents.getConnectorDocument({ params })).text, "text")
      const jobs = yield* api.knowledge.listAskJobs({ query: { limit: 5 } })
      assert.deepStrictEqual(jobs, { jobs: [], next_cursor: null })
    }))

  it.effect("reads failures as errors", () =>
    Effect.gen(function*() {
      const api = yield* client
      const params = { connector_id: "x" }
      assert.strictEqual((yield* Effect.flip(api.connectors.getConnector({ params })))._tag, "client_not_found")
      const invalid = yield* Effect.flip(
        api.knowledge.listAskJobs({ query: { cursor: Buffer.from(`["other",1]`).toString("base64url") } })
      )
      assert.strictEqual(invalid._tag, "validation_error")
      for (let count = 0; count < 5; count++) yield* api.knowledge.ask({ payload: { query: "q" } })
      const limited = yield* Effect.flip(api.knowledge.ask({ payload: { query: "q" } }))
      assert.deepInclude(limited, { _tag: "rate_limit_exceeded", endpoint: "ask", limit: 5, retry_after: 60 })
    }))
})
