/** HTTP(S) requests to checked addresses, also after redirects. */
import {
  CredentialsRefused,
  FatalFailure,
  RetryableFailure,
  SourceGone,
  type SyncFailure
} from "@tributary/core/ports/Provider"
import type { HeadersInit, Response } from "undici"
import { boundedBytes } from "./boundedBytes.ts"
import { causes } from "./causes.ts"
import { certificateProblem } from "./certificateProblem.ts"
import { guardedAddresses, type Network, timeoutOf } from "./guardedAddresses.ts"
import { guardedFetch } from "./guardedFetch.ts"
import { retryAfter } from "./retryAfter.ts"
import { isSyncFailure } from "../isSyncFailure.ts"

export interface WebAddress {
  readonly url: string
  readonly credentials?: Credentials | undefined
}

export interface WebRequest extends WebAddress {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
  /** Statuses that the caller handles, in addition to successful ones. */
  readonly accepts?: ReadonlyArray<number>
  readonly maxBytes?: number
  /** `manual` refuses redirects. Default: they are followed. */
  readonly redirect?: "follow" | "manual"
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

export interface WebAnswer {
  readonly status: number
  /** The URL after redirects. */
  readonly url: string
  readonly headers: Response["headers"]
  readonly body: Uint8Array<ArrayBuffer>
}

const MAX_BYTES = 33_554_432
/** A whole response may take this many times the idle timeout. */
const MAX_SILENCES = 10

export const basicAuthorization = ({ password, username }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`

const RETRYABLE: ReadonlySet<number> = new Set([408, 423, 425, 429])

/** What a status means for a sync. */
const refusal = (
  { headers, status, url }: Pick<Response, "headers" | "status" | "url">,
  { credentials, url: asked }: WebAddress
): SyncFailure => {
  const { host, origin } = new URL(url)
  const { origin: trusted } = new URL(asked)
  // Without credentials, a refusal may also be about the client's address or rate.
  if (status === 401 || status === 403 && credentials !== undefined) {
    const did = credentials === undefined
      ? "asks for a user name and password"
      : origin !== trusted
      ? `does not get the user name and password, because ${trusted} only redirects there`
      : "refuses the user name or password"
    return new CredentialsRefused({ message: `${host} ${did} (status ${status}).` })
  }
  if (status === 404 || status === 410) {
    return new SourceGone({ message: `${host} has no such resource (status ${status}).` })
  }
  if (status < 500 && !RETRYABLE.has(status)) {
    return new FatalFailure({ message: `${host} refuses the request (status ${status}).` })
  }
  const seconds = retryAfter(headers.get("retry-after"))
  return new RetryableFailure({
    message: `${host} cannot answer at present (status ${status}).`,
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds })
  })
}

const failureOf = (error: unknown, url: string): SyncFailure => {
  const all = causes(error)
  const known = all.find(isSyncFailure)
  if (known !== undefined) return known
  const { host } = new URL(url)
  if (all.some(({ name }) => name.endsWith("TimeoutError"))) {
    return new RetryableFailure({ message: `${host} did not answer in time.` })
  }
  return new RetryableFailure({
    message: certificateProblem(all.at(-1), host) ??
      `${host} cannot be reached: ${all.at(-1)?.message || "the connection failed"}.`
  })
}

export type WebClient = (request: WebRequest) => Promise<WebAnswer>

/** Returns the response, or throws a `SyncFailure`. */
export const makeWebClient = (network: Network): WebClient => {
  const timeout = timeoutOf(network)
  const fetch = guardedFetch(timeout, ({ hostname }) => guardedAddresses(hostname, network))
  return async (
    {
      accepts = [],
      body,
      credentials,
      maxBytes = MAX_BYTES,
      method = "GET",
      redirect = "follow",
      signal,
      url,
      ...request
    }
  ) => {
    const headers: HeadersInit = {
      "user-agent": "Tributary",
      ...request.headers,
      ...(credentials === undefined ? {} : { authorization: basicAuthorization(credentials) })
    }
    // Protects against a server that sends one byte now and then.
    const patience = AbortSignal.any([signal, AbortSignal.timeout(MAX_SILENCES * timeout)])
    const response = await fetch(url, { method, headers, body: body ?? null, redirect, signal: patience })
      .catch((error: unknown) => {
        throw failureOf(error, url)
      })
    if (!response.ok && !accepts.includes(response.status)) {
      await response.body?.cancel()
      throw refusal(response, { url, credentials })
    }
    const bytes = await boundedBytes(response.body, maxBytes).catch((error: unknown) => {
      throw failureOf(error, url)
    })
    return { status: response.status, url: response.url, headers: response.headers, body: bytes }
  }
}
