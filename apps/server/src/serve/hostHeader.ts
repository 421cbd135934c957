/**
 * HTTP/1.1 requires the header Host, once, and with a host. Node answers a request without it bare, takes the first of
 * several, and any value.
 */
import { refusal } from "@tributary/http/Refusal"
import { requestId } from "@tributary/http/RequestId"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncomingMessage } from "node:http"

/** A name or an address, and perhaps a port (RFC 3986); a request for no host in particular has an empty one. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?$/i

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host"

const problemIn = ({ httpVersion, rawHeaders }: IncomingMessage): string | null => {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && isHost(rawHeaders[at - 1]!))
  if (hosts.length > 1) return "The request has several Host headers."
  const [host] = hosts
  if (host === undefined) return httpVersion === "1.1" ? "The request has no Host header." : null
  return HOST.test(host) ? null : "The Host header is not a host with an optional port."
}

const refused = (request: HttpServerRequest, problem: string) => {
  const { body, headers, status } = refusal("bad_request", problem, requestId(request))
  return HttpServerResponse.text(body, { status, headers: { ...headers, connection: "close" } })
}

/** For a server that is made without `requireHostHeader`. */
export const requireHost = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest>(({ context }) => {
    const request = Context.getUnsafe(context, HttpServerRequest)
    const problem = problemIn(request.source as IncomingMessage)
    return problem === null ? app : Effect.sync(() => refused(request, problem))
  })
