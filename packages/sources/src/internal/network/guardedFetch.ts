/** Requests over HTTP(S) to checked addresses only, even if the name resolves differently later. */
import { FatalFailure } from "@tributary/core/ports/Provider"
import type { RequestInit, Response } from "undici"
import { causes } from "./causes.ts"
import { connectionTo } from "./guardedAddresses.ts"

type AddressesOf = (
  target: { readonly hostname: string; readonly protocol: string }
) => Promise<ReadonlyArray<string>>

type Fetch = (url: string, init: RequestInit) => Promise<Response>

// As `fetch` calls it.
const BAD_PORT = "bad port"

const badPort = (url: string) =>
  new FatalFailure({
    message: `${
      new URL(url).host
    } cannot be reached: its port, or that of a redirect, is reserved for another protocol.`
  })

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
  return async (url, init) => {
    try {
      return await fetch(url, { ...init, dispatcher })
    } catch (error) {
      throw causes(error).at(-1)?.message === BAD_PORT ? badPort(url) : error
    }
  }
}

/** `addressesOf` returns the addresses to connect to, or throws. `timeout` is the idle timeout in milliseconds. */
export const guardedFetch = (timeout: number, addressesOf: AddressesOf): Fetch => {
  let loaded: Promise<Fetch> | undefined
  return async (url, init) => {
    const fetch = await (loaded ??= load(timeout, addressesOf))
    return fetch(url, init)
  }
}
