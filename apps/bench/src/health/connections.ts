/** Many connections of one client at once: that say nothing, that never finish a head, and that ask for something. */
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"

const AT_ONCE = 1_500

/** The limit of the probe's address is another one. */
const OTHER = "127.0.0.2"

/** How often they are opened. */
const TIMES = 4

/** Milliseconds that they stay open. */
const OPEN = 2_000

const HEAD = "GET /healthz HTTP/1.1\r\nhost: bench\r\n"

const SAID = ["", `${HEAD}x-slow: `, `${HEAD}\r\n`]

/** What became of a connection after a while. */
const outcomeOf = async (socket: Socket, said: string): Promise<string> => {
  socket.on("error", () => {}).resume()
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve("closed")))
  socket.write(said)
  const outcome = await Promise.race([ended, setTimeout(OPEN, "kept")])
  socket.destroy()
  return outcome
}

export const sendConnections = async (url: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const outcomes = new Map<string, number>()
  for (const said of SAID) {
    for (let time = 0; time < TIMES; time++) {
      const sockets = Array.from(
        { length: AT_ONCE },
        () => connect({ port: Number(port), host: hostname, localAddress: OTHER })
      )
      for (const outcome of await Promise.all(sockets.map((socket) => outcomeOf(socket, said)))) {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
  }
  return [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(", ")
}
