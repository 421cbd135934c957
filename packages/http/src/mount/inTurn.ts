/**
 * Requests that a client sends before it has the answers to earlier ones. Their answers go out in the same order, so each
 * waits for its turn: if they ran at once, one connection could fill the memory.
 */
import type { IncomingMessage, ServerResponse } from "node:http"

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of a connection may wait. More than clients send ahead. */
const MAX_WAITING = 64

/** A connection with more waiting requests is closed. */
export const inTurn = (listener: NodeListener): NodeListener => {
  const waiting = new WeakMap<object, number>()
  return (request, response) => {
    const { socket } = request
    // Node gives a response the connection when those before it are sent.
    if (response.socket !== null) return listener(request, response)
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > MAX_WAITING) return void socket.destroy()
    waiting.set(socket, count)
    response.once("socket", () => {
      waiting.set(socket, waiting.get(socket)! - 1)
      // Node has not finished handing it over.
      process.nextTick(listener, request, response)
    })
  }
}
