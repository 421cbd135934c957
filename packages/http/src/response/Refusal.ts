/** An error outside of operations, where there is no request yet, or none of Effect's. */
import { errorBody } from "@tributary/core/model/Error"
import { type ErrorCode, STATUS } from "../api/ErrorBody.ts"

export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `message` is in ASCII; `requestId` is the client's own, if it sent one. */
export const refusal = (code: ErrorCode, message: string, requestId: string = crypto.randomUUID()): Refusal => {
  const details = code === "internal_server_error" ? { request_id: requestId } : null
  const body = JSON.stringify(errorBody(code, message, details))
  return {
    status: STATUS[code],
    headers: {
      "content-type": "application/json",
      "content-length": String(body.length),
      "x-request-id": requestId
    },
    body
  }
}
