/** Answers that come as server-sent events, read as they arrive. */
import { createParser, type EventSourceMessage } from "eventsource-parser"
import { ApiError, notOfService } from "./ApiError.ts"
import { open, type Request } from "./send.ts"

/** Name of the event with which the service ends a failed stream. */
const failureIn = (data: string): ApiError => {
  const { error_code, message } = JSON.parse(data) as { readonly error_code: string; readonly message: string }
  return new ApiError({ code: error_code, message, status: 200, requestId: null })
}

/** The connection broke, or ended too early. */
export const brokenOff = (cause?: unknown): ApiError =>
  new ApiError({ code: "network_error", message: "The answer broke off.", status: null, requestId: null, cause })

/** Leaving the loop early aborts the request. Calls `onOpen` when the answer begins. */
export async function* stream(request: Request, onOpen?: () => void): AsyncGenerator<EventSourceMessage> {
  const response = await open({ ...request, headers: { ...request.headers, accept: "text/event-stream" } })
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) throw notOfService(response)
  onOpen?.()
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const arrived: Array<EventSourceMessage> = []
  const parser = createParser({ onEvent: (event) => arrived.push(event) })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(value)
      for (const event of arrived.splice(0)) {
        if (event.event === "error") throw failureIn(event.data)
        yield event
      }
    }
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw cause instanceof ApiError ? cause : brokenOff(cause)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
