/** From the options of plain TypeScript to a client of the Effect face and a way to run its calls. */
import { Context, Effect, Layer, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { calling } from "./calling.ts"
import type * as Policy from "./Policy.ts"
import type { Options } from "./TributaryClient.ts"

export interface Retries {
  /** How often a request is sent at most, the first time included; 1 switches retries off. 4 unless told. */
  readonly attempts?: number
  /** Milliseconds of the first wait; every further one is about twice as long. 250 unless told. */
  readonly minimumDelay?: number
  /** Milliseconds that a wait grows to, unless the service asks for a longer one. 10,000 unless told. */
  readonly maximumDelay?: number
}

export interface Connection {
  readonly baseUrl: string | URL
  readonly apiKey: string
  /** Sends the requests; the platform's own unless told. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds that a call may take with all its attempts and waits. 120,000 unless told. */
  readonly timeout?: number | undefined
  /** Milliseconds after which one attempt counts as lost. 60,000 unless told. */
  readonly attemptTimeout?: number | undefined
  readonly retries?: Retries | undefined
}

const policyOf = ({ attemptTimeout, retries, timeout }: Connection): Partial<Policy.Policy> => ({
  ...retries,
  ...(timeout === undefined ? {} : { timeout }),
  ...(attemptTimeout === undefined ? {} : { attemptTimeout })
})

const optionsOf = (connection: Connection): Options => {
  const { apiKey, baseUrl } = connection
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is no address: ${JSON.stringify(String(baseUrl))}`)
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("apiKey must be visible ASCII characters, and at least one")
  return {
    baseUrl: String(baseUrl).replace(/\/+$/, ""),
    apiKey: Redacted.make(apiKey),
    policy: policyOf(connection)
  }
}

/** The service and what runs its calls. Nothing is sent yet, and nothing has to be closed. */
export const connect = <Id, Shape>(
  service: Context.Key<Id, Shape>,
  layerOf: (options: Options) => Layer.Layer<Id, never, HttpClient.HttpClient>,
  connection: Connection
) => {
  const { fetch = globalThis.fetch } = connection
  const layer = layerOf(optionsOf(connection)).pipe(
    Layer.provide(FetchHttpClient.layer),
    // A header more would make a browser ask every server whether it may send it.
    Layer.provide(Layer.succeed(HttpClient.TracerPropagationEnabled, false)),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => fetch(input, init)))
  )
  const context = Effect.runSync(Effect.scoped(Layer.build(layer)))
  return { api: Context.get(context, service), call: calling(context) }
}
