/** Client addresses behind trusted proxies. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { BlockList, isIP } from "node:net"

export const familyOf = (address: string): "ipv4" | "ipv6" => isIP(address) === 6 ? "ipv6" : "ipv4"

/** Addresses and networks such as `10.0.0.0/8`; null when one of the texts is neither. */
export const networksOf = (texts: ReadonlyArray<string>): BlockList | null => {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = "", bits, ...more] = text.split("/")
    const most = isIP(address) === 6 ? 128 : 32
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity
    if (isIP(address) === 0 || length > most || more.length > 0) return null
    networks.addSubnet(address, length, familyOf(address))
  }
  return networks
}

/** The last address that is not a trusted proxy's; invalid entries end the search. */
export const clientAddressOf = (peer: string, forwardedFor: string, proxies: BlockList): string => {
  let sender = peer
  for (const hop of forwardedFor.split(",").reverse()) {
    const address = hop.trim()
    if (!proxies.check(sender, familyOf(sender)) || isIP(address) === 0) break
    sender = address
  }
  return sender
}

/** Requests with the client address that the trusted proxies report. */
export const withClientAddresses = <A, E, R>(app: Effect.Effect<A, E, R>, proxies: ReadonlyArray<string>) => {
  const trusted = proxies.length === 0 ? null : networksOf(proxies)
  return trusted === null ?
    app :
    Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
      request.modify({
        remoteAddress: Option.map(
          request.remoteAddress,
          (peer) => clientAddressOf(peer, request.headers["x-forwarded-for"] ?? "", trusted)
        )
      }))
}
