/** `tributary mcp`: a workspace as tools for the assistant that started this process. */
import { type Scope, Scope as Scopes } from "@tributary/core/model/Scope"
import { serve } from "@tributary/mcp/Stdio"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { Arguments } from "../cli/Command.ts"
import { workspaceClient } from "../transport/clients.ts"

/** The read scopes of a credential. */
const readingOf = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Scope> =>
  Scopes.literals.filter((scope) => scope.endsWith(":read") && scopes.includes(scope))

/** Ends with its input. Standard output has only the protocol. */
export const mcp = Effect.fnUntraced(function*(args: Arguments) {
  const { ask, client, connection: { apiKey, baseUrl, fetch } } = yield* workspaceClient(args)
  const { scopes } = yield* ask(() => client.usage())
  const api = HttpClient.mapRequest(
    yield* Effect.provide(HttpClient.HttpClient, FetchHttpClient.layer),
    (request) => request.pipe(HttpClientRequest.prependUrl(baseUrl), HttpClientRequest.bearerToken(apiKey))
  )
  const run = yield* FiberSet.makeRuntimePromise<HttpClient.HttpClient>().pipe(
    Effect.provideService(HttpClient.HttpClient, api),
    Effect.provideService(FetchHttpClient.Fetch, fetch)
  )
  yield* serve({ scopes: args.has("read-only") ? readingOf(scopes) : scopes, run }, process.stdin, process.stdout)
}, Effect.scoped)
