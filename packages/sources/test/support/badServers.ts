/** TCP servers that do what no server should. */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** The port of a server that treats each connection so, for as long as the scope is open. */
export const badServer = (serve: (socket: Socket) => void) =>
  Effect.map(
    Effect.acquireRelease(Effect.promise(() => listen(serve)), ({ close }) => Effect.sync(close)),
    ({ port }) => port
  )

const listen = async (serve: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined))
    serve(socket)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/** Runs `use` with the port of such a server. */
export const withServer = async <A>(serve: (socket: Socket) => void, use: (port: number) => Promise<A>): Promise<A> => {
  const { close, port } = await listen(serve)
  try {
    return await use(port)
  } finally {
    close()
  }
}

/** Each of them, by the sentence that it completes. */
export const BAD_WEB_SERVERS: Readonly<Record<string, (socket: Socket) => void>> = {
  "never answers": () => undefined,
  "cuts the connection": (socket) => void socket.once("data", () => socket.destroy()),
  "ends before the length that it named": (socket) =>
    void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<rss><channel>")),
  "sends no HTTP": (socket) => void socket.once("data", () => socket.end("\x00\x01\x02 hello\r\n\r\n")),
  "falls silent within its answer": (socket) =>
    void socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<rss>")),
  "names two lengths": (socket) =>
    void socket.once(
      "data",
      () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 9\r\n\r\n<rss></rss")
    ),
  "claims gzip": (socket) =>
    void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nnot gzip"))
}
