/** Holds requests until the routes exist, and closes connections when the server stops. */
import * as Effect from "effect/Effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A request that waits for permission to send its body is a separate event. */
const EVENTS = ["request", "checkContinue"] as const

/** Node refuses an `Expect` other than `100-continue` with a bare answer. HTTP allows ignoring it. */
export const ignoreUnknownExpectations = (server: Server): void =>
  void server.on("checkExpectation", (request, response) => server.emit("request", request, response))

/** The routes need the address, which is known once the port is open: earlier requests wait for them. */
export const holdEarlyRequests = (server: Server): Effect.Effect<void> => {
  const early: Array<() => void> = []
  const holders = EVENTS.map((event) => {
    const hold: Listener = (request, response) => void early.push(() => server.emit(event, request, response))
    server.on(event, hold)
    return { event, hold }
  })
  return Effect.sync(() => {
    for (const { event, hold } of holders) server.off(event, hold)
    for (const again of early) again()
  })
}

/** How long a client may pause while it sends a body, in milliseconds. */
const PAUSE = 2_000

/**
 * From here on, each response closes its connection, because keep-alive would delay the end, and connections without a
 * request are closed: browsers open them in advance, and Node waits for them. A body that stops arriving is not waited
 * for.
 */
export const closeAfterResponses = (server: Server, pause = PAUSE): Effect.Effect<void> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  const open = new Set<ServerResponse>()
  let ending = false
  const end = (response: ServerResponse) => {
    const { req } = response
    if (!req.complete) response.setTimeout(pause, () => void (req.complete || req.destroy()))
    if (!response.headersSent) return void response.setHeader("connection", "close")
    // A response whose headers are sent, such as a stream, can announce nothing any more.
    const { socket } = response
    response.once("finish", () => socket?.end())
  }
  const watch: Listener = (_request, response) => {
    if (ending) return end(response)
    open.add(response)
    response.once("close", () => open.delete(response))
  }
  for (const event of EVENTS) server.on(event, watch)
  return Effect.sync(() => {
    ending = true
    for (const response of open) end(response)
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}
