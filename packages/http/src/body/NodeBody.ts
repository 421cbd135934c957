/**
 * A body of known length, by the events of Node's request. Effect's adapter waits for the request to close, remembers
 * what it read and copies it, which takes more time than all else in a small request.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { IncomingMessage } from "node:http"

/**
 * Null for a request of another platform, for one that the adapter has to answer first or whose body it takes from the
 * connection, and for one that is read.
 */
export const nodeRequest = ({ headers, source }: HttpServerRequest): IncomingMessage | null => {
  const message = source as Partial<IncomingMessage>
  return message.httpVersionMajor === 1 && headers["expect"] === undefined && headers["upgrade"] === undefined &&
      message.readableEnded === false && message.destroyed === false
    ? message as IncomingMessage
    : null
}

/** Copies each part to its place as it arrives: joining them all at the end would block others. */
const arriving = (request: IncomingMessage, length: number): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const bytes = new Uint8Array(length)
    let read = 0
    const stop = () => {
      request.off("data", onData).off("end", onEnd).off("close", onClose)
    }
    const onData = (part: Uint8Array) => {
      bytes.set(part, read)
      read += part.length
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(bytes))
    }
    // The client disconnected, so nobody reads the answer.
    const onClose = () => {
      stop()
      resume(Effect.interrupt)
    }
    request.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(stop)
  })

/** What has arrived as a whole is there at once. */
export const receive = (request: IncomingMessage, length: number): Effect.Effect<Uint8Array> =>
  request.complete && request.readableLength === length
    ? Effect.succeed(request.read() as Uint8Array)
    : arriving(request, length)
