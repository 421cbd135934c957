/** Converts the options of the promise client into an Effect client and a function that runs its calls. */
import { checkNumbers } from "@tributary/core/model/NumberRule"
import { Context, Effect, Layer, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { type Call, calling } from "./calling.ts"
import { checkNames, type Names } from "./optionNames.ts"
import { type Paging, paging } from "./paging.ts"
import * as Policy from "./Policy.ts"
import type { Options } from "./transport/clientMiddleware.ts"
import { type Streaming, streaming } from "./transport/streaming.ts"

export interface Retries {
  /** The maximum number of attempts, including the first; 1 disables retries. 4 by default. */
  readonly attempts?: number
  /** Milliseconds of the first wait; every further one is about twice as long. 250 by default. */
  readonly minimumDelay?: number
  /**
   * The maximum of all waits of a call together, in milliseconds. If the service asks for more, the call rejects.
   * 10,000 by default.
   */
  readonly maximumWait?: number
  /** Is called before each wait. It must not throw. */
  readonly onRetry?: (retry: Policy.Retry) => void
}

/** A server, and how calls to it are retried. */
export interface Service {
  /** The address of the server, such as `https://knowledge.example.com`. */
  readonly baseUrl: string | URL
  /** Sends the requests; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds that a call may take with all its attempts and waits. 120,000 by default. */
  readonly timeout?: number | undefined
  /**
   * Milliseconds after which one attempt counts as lost. 60,000 by default, or half of `timeout` if that is longer; a
   * question, and an attempt that no other one would follow, then have all of `timeout`.
   */
  readonly attemptTimeout?: number | undefined
  readonly retries?: Retries | undefined
}

/** A server, and a key of a workspace there. */
export interface Connection extends Service {
  /** An API key or a token of a workspace. */
  readonly apiKey: string
}

const RETRIES: Names<Retries> = { attempts: true, minimumDelay: true, maximumWait: true, onRetry: true }

export const SERVICE: Names<Service> = {
  baseUrl: true,
  fetch: true,
  timeout: true,
  attemptTimeout: true,
  retries: true
}

export const CONNECTION: Names<Connection> = { ...SERVICE, apiKey: true }

const policyOf = ({ attemptTimeout, retries, timeout }: Service): Partial<Policy.Policy> => ({
  ...retries,
  ...(timeout === undefined ? {} : { timeout }),
  ...(attemptTimeout === undefined ? {} : { attemptTimeout })
})

const addressOf = (baseUrl: string | URL): string => {
  // Without its scheme, "localhost:8787" is an address with the scheme "localhost".
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw new TypeError(
      `The option "baseUrl" must be an address such as http://127.0.0.1:8787, not ${JSON.stringify(String(baseUrl))}.`
    )
  }
  return String(baseUrl).replace(/\/+$/, "")
}

const credentialOf = (apiKey: string): Redacted.Redacted => {
  if (typeof apiKey !== "string" || apiKey === "") throw new TypeError(`The option "apiKey" is missing.`)
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError(`The option "apiKey" must be visible ASCII characters.`)
  return Redacted.make(apiKey)
}

/** The operations of a service, and what runs them with a key. */
export interface Connected<Id, Shape> {
  readonly api: Shape
  readonly call: Call<Id>
  readonly pages: Paging<Id>
  readonly stream: Streaming<Id>
}

/** Returns a function that makes calls with any key. Nothing is sent yet, and nothing has to be closed. */
export const connect = <Id, Shape>(
  tag: Context.Key<Id, Shape>,
  layerOf: (options: Options) => Layer.Layer<Id, never, HttpClient.HttpClient>,
  service: Service
): (apiKey: string) => Connected<Id, Shape> => {
  const { fetch = globalThis.fetch } = service
  checkNames(RETRIES, service.retries ?? {}, "retries.")
  checkNumbers(Policy.TIME_RULES, service)
  checkNumbers(Policy.RETRY_RULES, service.retries ?? {}, "retries.")
  const options = { baseUrl: addressOf(service.baseUrl), apiKey: Redacted.make(""), policy: policyOf(service) }
  const layer = layerOf(options).pipe(
    Layer.provide(FetchHttpClient.layer),
    // A header more would make a browser ask every server whether it may send it.
    Layer.provide(Layer.succeed(HttpClient.TracerPropagationEnabled, false)),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => fetch(input, init)))
  )
  const context = Effect.runSync(Effect.scoped(Layer.build(layer)))
  return (apiKey) => {
    const credential = credentialOf(apiKey)
    const call = calling(context, credential)
    return { api: Context.get(context, tag), call, pages: paging(call), stream: streaming(context, credential) }
  }
}
