/** Client addresses behind trusted proxies. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { type BlockList, isIP } from "node:net"
import { familyOf, networksOf } from "../settings/networks.ts"

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
