/** An error outside of operations, where there is no request yet, or none of Effect's. */
import { errorBody } from "@tributary/core/model/Error"
import { type ErrorCode, STATUS } from "../api/ErrorBody.ts"

export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Long enough for a restart, and short enough to wait for. */
const RETRY_SECONDS = 5

/** The headers that every error of this code has. */
export const headersOf = (code: ErrorCode): Readonly<Record<string, string>> =>
  code === "authentication_error"
    ? { "www-authenticate": "Bearer" }
    : code === "service_unavailable"
    ? { "retry-after": String(RETRY_SECONDS) }
    : {}

/** The answer to every request while the service ends, and after it. */
export const closing = (requestId: string | undefined): Refusal =>
  refusal("service_unavailable", "The service is closing.", requestId)

/** `message` is in ASCII; `requestId` is the client's own, if it sent one. */
export const refusal = (code: ErrorCode, message: string, requestId: string = crypto.randomUUID()): Refusal => {
  const details = code === "internal_server_error" ? { request_id: requestId } : null
  const body = JSON.stringify(errorBody(code, message, details))
  return {
    status: STATUS[code],
    headers: {
      ...headersOf(code),
      "content-type": "application/json",
      "content-length": String(body.length),
      "x-request-id": requestId
    },
    body
  }
}
