/** HTTP(S) connections to checked addresses only, even if the name resolves differently later. */
import { Agent, buildConnector } from "undici"

/** `addressOf` returns the address to connect to, or throws. `timeout` is the idle timeout in milliseconds. */
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
