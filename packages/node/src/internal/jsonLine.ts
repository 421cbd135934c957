/** Reads one line of JSON from a socket, with a maximum length and a timeout. */
import type { Socket } from "node:net"

/** The maximum length of a request and of a response. */
export const longestLine = 8 * 1024 * 1024

const newline = 0x0a

/** Rejects with a sentence when no whole line comes. */
export const readLine = (socket: Socket, milliseconds: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let length = 0
    const stop = (settle: () => void) => {
      clearTimeout(timer)
      socket.off("data", onData).off("end", onEnd).off("error", onEnd).off("close", onEnd)
      settle()
    }
    const refuse = (why: string) => stop(() => reject(new Error(why)))
    const timer = setTimeout(() => refuse(`nothing came within ${milliseconds} ms`), milliseconds)
    const onEnd = () => refuse("the connection closed before the message was whole")
    const onData = (chunk: Buffer) => {
      const end = chunk.indexOf(newline)
      length += end === -1 ? chunk.length : end
      if (length > longestLine) return refuse(`a message is longer than ${longestLine} bytes`)
      chunks.push(end === -1 ? chunk : chunk.subarray(0, end))
      if (end !== -1) stop(() => resolve(Buffer.concat(chunks).toString("utf8")))
    }
    socket.on("data", onData).once("end", onEnd).once("error", onEnd).once("close", onEnd)
  })
