/**
 * Sockets that belong to a data directory.
 *
 * The guard is held by exactly one process, and freed by the kernel when that process dies in whatever way. On Linux it
 * is a name without a file, made of the directory's device and inode, so that no other spelling of the path gets past it.
 * Elsewhere the control socket is the guard.
 */
import { createHash } from "node:crypto"
import { chmodSync, realpathSync, rmSync, statSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { join, relative } from "node:path"

/** The longest path of a socket that every system takes. */
const longestPath = 103

/** `undefined` where there are no names without a file. */
export const guardAddress = (directory: string): string | undefined => {
  if (process.platform !== "linux") return undefined
  const { dev, ino } = statSync(directory, { bigint: true })
  return `\0tributary-${dev}-${ino}`
}

/** Throws when the path is too long for a socket, from the root and from the working directory alike. */
export const controlAddress = (directory: string): string => {
  const absolute = join(realpathSync(directory), "control.sock")
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\tributary-${createHash("sha256").update(absolute).digest("hex").slice(0, 32)}`
  }
  const near = relative(process.cwd(), absolute)
  const shorter = near.length < absolute.length ? near : absolute
  if (Buffer.byteLength(shorter) > longestPath) throw new Error("its path is too long to hold a socket")
  return shorter
}

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

/** `undefined` when somebody else listens there. */
export const listen = (address: string, onConnection: (socket: Socket) => void): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.once("error", (error) => codeOf(error) === "EADDRINUSE" ? resolve(undefined) : reject(error))
    server.listen(address, () => resolve(server))
    // Bound by now, and served only later. A name without a file has no mode.
    if (!address.startsWith("\0") && process.platform !== "win32" && server.listening) chmodSync(address, 0o600)
  })

/** The socket file of a process that died. Only for who holds the guard, or knows that nobody answers. */
export const removeSocket = (address: string): void => {
  if (process.platform !== "win32") rmSync(address, { force: true })
}

export const closeServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** A connection, or `undefined` when nobody listens there. */
export const reach = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect(address)
    socket.once("connect", () => resolve(socket))
    socket.once("error", (error) =>
      ["ENOENT", "ECONNREFUSED", "ENOTDIR"].includes(String(codeOf(error))) ? resolve(undefined) : reject(error))
  })
