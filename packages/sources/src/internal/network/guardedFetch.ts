/** Requests over HTTP(S) to checked addresses only, even if the name resolves differently later. */
import type { RequestInit, Response } from "undici"
import { connectionTo } from "./guardedAddresses.ts"

type AddressesOf = (
  target: { readonly hostname: string; readonly protocol: string }
) => Promise<ReadonlyArray<string>>

type Fetch = (url: string, init: RequestInit) => Promise<Response>

// Loaded with the first request, because a server without sources and webhooks needs no client.
const load = async (timeout: number, addressesOf: AddressesOf): Promise<Fetch> => {
  const { Agent, buildConnector, fetch } = await import("undici")
  const dispatcher = new Agent({
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: 65_536,
    connect: (options, callback) => {
      // oxlint-disable promise/no-callback-in-promise
      addressesOf(options).then(
        (addresses) => buildConnector({ timeout, ...connectionTo(addresses) })(options, callback),
        (error: Error) => callback(error, null)
      )
    }
  })
  return (url, init) => fetch(url, { ...init, dispatcher })
}

/** `addressesOf` returns the addresses to connect to, or throws. `timeout` is the idle timeout in milliseconds. */
export const guardedFetch = (timeout: number, addressesOf: AddressesOf): Fetch => {
  let loaded: Promise<Fetch> | undefined
  return async (url, init) => {
    const fetch = await (loaded ??= load(timeout, addressesOf))
    return fetch(url, init)
  }
}
