/** A line to a real server that goes bad on the way: what the server sends passes through other hands first. */
import { connect, type Socket } from "node:net"
import { badServer } from "./badServers.ts"

/**
 * `spoil` is given each piece that the server sends, how many bytes came before it, and the client's end; `heard` what
 * the client sends.
 */
export const interposed = (
  port: number,
  spoil: (piece: Buffer, before: number, client: Socket) => Buffer | null,
  heard: (piece: Buffer) => void = () => undefined
) =>
  badServer((client) => {
    const server = connect(port, "127.0.0.1").on("error", () => client.destroy())
    let before = 0
    client.on("data", heard).on("data", (data) => server.write(data)).on("close", () => server.destroy())
    server.on("data", (data) => {
      const passed = spoil(data, before, client)
      before += data.length
      if (passed !== null && !client.destroyed) client.write(passed)
    })
  })
