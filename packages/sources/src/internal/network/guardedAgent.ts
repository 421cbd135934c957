/** Connections over HTTP(S) to addresses that were checked, and to no other that the name may lead to later. */
import { Agent, buildConnector } from "undici"

/** `addressOf` answers with the address to connect to, or throws. The timeout is of silence, in milliseconds. */
export const guardedAgent = (
  timeout: number,
  addressOf: (target: { readonly hostname: string; readonly protocol: string }) => Promise<string>
): Agent => {
  const connect = buildConnector({ timeout })
  return new Agent({
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
}
