/** The name of a request, in its answer and in the log. A client may bring its own. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

const made = new WeakMap<object, string>()

/** The same for every question about one request. */
export const requestId = (request: HttpServerRequest): string => {
  const sent = request.headers["x-request-id"]
  if (sent !== undefined && ACCEPTABLE.test(sent)) return sent
  const known = made.get(request.source)
  if (known !== undefined) return known
  const id = crypto.randomUUID()
  made.set(request.source, id)
  return id
}
