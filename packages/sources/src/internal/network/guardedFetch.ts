/** Requests over HTTP(S) to checked addresses only, even if the name resolves differently later. */
import type { RequestInit, Response } from "undici"

type AddressOf = (target: { readonly hostname: string; readonly protocol: string }) => Promise<string>

type Fetch = (url: string, init: RequestInit) => Promise<Response>

// Loaded with the first request, because a server without sources and webhooks needs no client.
const load = async (timeout: number, addressOf: AddressOf): Promise<Fetch> => {
  const { Agent, buildConnector, fetch } = await import("undici")
  const connect = buildConnector({ timeout })
  const dispatcher = new Agent({
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: 65_536,
    connect: (options, callback) => {
      // oxlint-disable promise/no-callback-in-promise
      addressOf(options).then(
        (address) =>
          connect({ ...options, hostname: address, servername: options.servername ?? options.hostname }, callback),
        (error: Error) => callback(error, null)
      )
    }
  })
  return (url, init) => fetch(url, { ...init, dispatcher })
}

/** `addressOf` returns the address to connect to, or throws. `timeout` is the idle timeout in milliseconds. */
export const guardedFetch = (timeout: number, addressOf: AddressOf): Fetch => {
  let loaded: Promise<Fetch> | undefined
  return async (url, init) => {
    const fetch = await (loaded ??= load(timeout, addressOf))
    return fetch(url, init)
  }
}
