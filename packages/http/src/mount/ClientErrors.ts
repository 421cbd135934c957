/**
 * Answers errors before a request exists in the API's form: invalid HTTP, a head that is too long, a request that times
 * out. Node emits `clientError` for these, and sends a bare answer if nobody handles it.
 */
import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { ErrorCode } from "../api/ErrorBody.ts"
import { ADVICE } from "../pages/ErrorAdvice.ts"
import { refusal } from "../response/Refusal.ts"

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

const answerOf = (code: ErrorCode): string => {
  const message = code === "bad_request" ? "The request is not valid HTTP." : `${ADVICE[code].title}.`
  const { body, headers, status } = refusal(code, message)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `date: ${new Date().toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
    "",
    body
  ].join("\r\n")
}

/** How long a client has to read the answer before its remaining data resets the connection. */
const GRACE = 500

/** A listener of `clientError`, for any server of `node:http`: `server.on("clientError", answerClientError)`. */
export const answerClientError = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  // More of what was answered already.
  if (socket.writableEnded) return
  const { _httpMessage: begun } = socket as { readonly _httpMessage?: ServerResponse | null }
  // The client is gone, or a response is being sent that this one would corrupt.
  if (error.code === "ECONNRESET" || !socket.writable || begun?.headersSent) return void socket.destroy()
  socket.end(answerOf(CODES[error.code ?? ""] ?? "bad_request"))
  const timer = setTimeout(() => socket.destroy(), GRACE)
  socket.once("close", () => clearTimeout(timer))
}
