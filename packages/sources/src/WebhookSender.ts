/**
 * Sends events over HTTP(S) to addresses that pass the same checks as those of connections. Plain HTTP is allowed only
 * for private addresses that the operator allows.
 */
import { FatalFailure } from "@tributary/core/ports/Provider"
import {
  type Sender,
  Undeliverable,
  type WebhookAnswer,
  type WebhookRequest,
  WebhookSender
} from "@tributary/core/WebhookSender"
import { Effect, Layer } from "effect"
import type { Response } from "undici"
import { causes } from "./internal/network/causes.ts"
import { certificateProblem } from "./internal/network/certificateProblem.ts"
import { guardedAddresses, type Network, timeoutOf } from "./internal/network/guardedAddresses.ts"
import { guardedFetch } from "./internal/network/guardedFetch.ts"
import { isPublicAddress } from "./internal/network/publicAddress.ts"
import { retryAfter } from "./internal/network/retryAfter.ts"
import { isSyncFailure } from "./internal/isSyncFailure.ts"

/** Timeout of a whole attempt, in milliseconds. */
const TIMEOUT = 10_000

/** How much of an answer is kept, in bytes. */
const MAX_KEPT = 2_048

const addressesFor = async (hostname: string, protocol: string, network: Network): Promise<ReadonlyArray<string>> => {
  const addresses = await guardedAddresses(hostname, network)
  if (protocol !== "http:" || !addresses.some(isPublicAddress)) return addresses
  throw new FatalFailure({ message: `${hostname} is a public address, where events are sent over https only.` })
}

/** Once a receiver has sent a status, the delivery is over, even if the body fails. */
const beginning = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let kept = ""
  let bytes = 0
  try {
    for await (const part of body ?? []) {
      const piece: Uint8Array = part.subarray(0, MAX_KEPT - bytes)
      bytes += piece.length
      kept += decoder.decode(piece, { stream: true })
      if (bytes >= MAX_KEPT) break
    }
  } catch {
    // Keep what arrived before the connection broke.
  }
  return kept
}

const messageOf = (error: unknown, url: string, timeout: number): string => {
  const all = causes(error)
  const known = all.find(isSyncFailure)
  if (known !== undefined) return known.message
  const { host } = new URL(url)
  if (all.some(({ name }) => name === "TimeoutError")) {
    return `${host} did not answer within ${timeout / 1_000} seconds.`
  }
  return certificateProblem(all.at(-1), host) ??
    `${host} cannot be reached: ${all.at(-1)?.message || "the connection failed"}.`
}

/** Only public addresses are reached, and private ones that `network` allows. */
export const make = (network: Network = {}): Sender => {
  const timeout = timeoutOf({ timeoutMillis: TIMEOUT, ...network })
  const fetch = guardedFetch(timeout, ({ hostname, protocol }) => addressesFor(hostname, protocol, network))

  const post = async ({ body, headers, url }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "user-agent": "Tributary", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    })
    const retryAfterSeconds = retryAfter(response.headers.get("retry-after"))
    return { status: response.status, body: await beginning(response), retryAfterSeconds }
  }

  const check = async (url: string): Promise<void> => {
    const { hostname, password, protocol, username } = new URL(url)
    if (username !== "" || password !== "") {
      throw new FatalFailure({ message: "The address of a webhook holds no user name and no password." })
    }
    await addressesFor(hostname, protocol, network)
  }

  const failing = (url: string) => (error: unknown) => new Undeliverable({ message: messageOf(error, url, timeout) })

  return {
    check: (url) => Effect.tryPromise({ try: () => check(url), catch: failing(url) }),
    send: (request) => Effect.tryPromise({ try: (signal) => post(request, signal), catch: failing(request.url) })
  }
}

export const layer = (network: Network = {}) => Layer.sync(WebhookSender, () => make(network))
