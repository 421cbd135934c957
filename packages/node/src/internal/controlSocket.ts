/** The socket in a data directory, at which the server that holds it answers commands. */
import { createHash } from "node:crypto"
import { chmodSync, realpathSync, rmSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { join, relative } from "node:path"
import { errorCode } from "../errors.ts"

const NAME = "control.sock"

/** The longest path of a socket that every system takes. */
const longestPath = 103

const PATH_TOO_LONG = `its path is too long for a socket in it: choose one of at most ${
  longestPath - NAME.length - 1
} bytes`

/** Throws when the path is too long for a socket, from the root and from the working directory alike. */
export const controlAddress = (directory: string): string => {
  const absolute = join(realpathSync(directory), NAME)
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\tributary-${createHash("sha256").update(absolute).digest("hex").slice(0, 32)}`
  }
  const near = relative(process.cwd(), absolute)
  const shorter = near.length < absolute.length ? near : absolute
  if (Buffer.byteLength(shorter) > longestPath) throw new Error(PATH_TOO_LONG)
  return shorter
}

/** `undefined` if somebody else listens there. */
export const listen = (address: string, onConnection: (socket: Socket) => void): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.once("error", (error) => errorCode(error) === "EADDRINUSE" ? resolve(undefined) : reject(error))
    server.listen(address, () => resolve(server))
    // Bound by now, and served only later.
    if (process.platform !== "win32" && server.listening) chmodSync(address, 0o600)
  })

/** Removes the socket file of a process that died. Only for the process that holds the lock. */
export const removeSocket = (address: string): void => {
  if (process.platform !== "win32") rmSync(address, { force: true })
}

export const closeServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** A connection, or `undefined` if nobody listens there. */
export const connectTo = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect(address)
    socket.once("connect", () => resolve(socket))
    socket.once("error", (error) =>
      ["ENOENT", "ECONNREFUSED", "ENOTDIR"].includes(String(errorCode(error))) ? resolve(undefined) : reject(error))
  })
