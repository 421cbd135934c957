/** The same service for programs that use Effect: every operation of the definition, typed failures, one layer. */
import { TributaryClient } from "@tributary/client/TributaryClient"
import { Config, Console, Effect, Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const client = Layer.unwrap(Effect.gen(function*() {
  const baseUrl = yield* Config.String("TRIBUTARY_URL")
  const apiKey = yield* Config.Redacted("TRIBUTARY_KEY")
  return TributaryClient.layer({ baseUrl, apiKey, policy: { attempts: 6, timeout: "5 minutes" } })
}))

const program = Effect.gen(function*() {
  const { connectors, knowledge } = yield* TributaryClient
  const { results } = yield* knowledge.search({ payload: { q: "room 42", limit: 1 } })
  yield* Console.log(`found: ${results[0]?.title}`)
  const name = yield* connectors.getConnector({ params: { connector_id: "nowhere" } }).pipe(
    Effect.map(({ name }) => name),
    Effect.catchTag("client_not_found", ({ message }) => Effect.succeed(message))
  )
  yield* Console.log(name)
})

await Effect.runPromise(program.pipe(Effect.provide(Layer.provide(client, FetchHttpClient.layer))))
