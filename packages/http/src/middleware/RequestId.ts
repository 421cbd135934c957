/** The id of a request, in its response and in the log. A client may send its own. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

/** Stored on the platform's request object, because a weak map would cost as much as the id. */
const MADE = Symbol("request id")

/** The id that a client sent, if it may be used. */
export const sentId = (sent: string | null | undefined): string | undefined =>
  typeof sent === "string" && ACCEPTABLE.test(sent) ? sent : undefined

/** The same id for every call with one request. */
export const requestId = (request: HttpServerRequest): string => {
  const sent = sentId(request.headers["x-request-id"])
  if (sent !== undefined) return sent
  const source = request.source as { [MADE]?: string }
  return source[MADE] ??= crypto.randomUUID()
}
