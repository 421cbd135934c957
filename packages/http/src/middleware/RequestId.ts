/** The name of a request, in its answer and in the log. A client may bring its own. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

/** Kept on what the platform calls a request: an entry in a weak map costs as much as the id. */
const MADE = Symbol("request id")

/** The same for every question about one request. */
export const requestId = (request: HttpServerRequest): string => {
  const sent = request.headers["x-request-id"]
  if (sent !== undefined && ACCEPTABLE.test(sent)) return sent
  const source = request.source as { [MADE]?: string }
  return source[MADE] ??= crypto.randomUUID()
}
