/** Requests as raw bytes over a bare socket, and everything that the server sends. */
import { Effect } from "effect"
import { connect } from "node:net"

/** Sends raw bytes, and returns the answer until it is complete or the server disconnects. */
export const exchange = (port: number, parts: ReadonlyArray<string | Uint8Array>) =>
  Effect.callback<string>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1")
    const done = () => resume(Effect.succeed(received))
    socket.setEncoding("utf8")
    socket.on("data", (text) => {
      received += text
    })
    socket.on("close", done)
    socket.on("error", done)
    for (const part of parts) socket.write(part)
    return Effect.sync(() => socket.destroy())
  })

/** The head of a request that leaves the connection open. */
export const open = (line: string, ...headers: ReadonlyArray<string>) =>
  [`${line} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n")

/** The head of a request that is the last one of its connection. */
export const head = (line: string, ...headers: ReadonlyArray<string>) => open(line, "Connection: close", ...headers)
