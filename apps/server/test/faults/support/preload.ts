/**
 * Comes into a server under test before its own code (`node --import`): moves its clock, or kills it at a statement.
 *
 * `TEST_CLOCK_OFFSET` is in milliseconds. `TEST_END` is "SIGNAL MOMENT PATTERN": the process sends itself the signal at
 * the first statement that matches: `before` it leaves, once it is `sent`, or when it is `answered`.
 */
import { Socket } from "node:net"
import { isMainThread, Worker } from "node:worker_threads"

const offset = Number(process.env["TEST_CLOCK_OFFSET"] ?? 0)
const [, signal, moment, source = ""] = /^(\w+) (before|sent|answered) (.+)$/.exec(process.env["TEST_END"] ?? "") ?? []

const pattern = new RegExp(source)

if (offset !== 0) {
  const { now } = Date
  globalThis.Date = class extends Date {
    constructor(...given: []) {
      if (given.length === 0) super(now() + offset)
      else super(...given)
    }
    static override now = () => now() + offset
  } as DateConstructor
}

let isOver = false
const end = () => {
  if (isOver) return
  isOver = true
  process.kill(process.pid, signal)
}

if (isMainThread && signal !== undefined) {
  // The embedded database gets its statements as messages, Postgres as bytes.
  const postMessage = Worker.prototype.postMessage
  Worker.prototype.postMessage = function(
    this: Worker,
    message: { readonly id?: number; readonly sql?: string },
    ...rest
  ) {
    const isIt = message.sql !== undefined && pattern.test(message.sql)
    if (isIt && moment === "before") end()
    if (isIt && moment === "answered") this.prependListener("message", ({ id }) => id === message.id && end())
    postMessage.call(this, message, ...rest)
    if (isIt && moment === "sent") end()
  }
  const write = Socket.prototype.write
  Socket.prototype.write = function(this: Socket, ...given: Parameters<typeof write>) {
    const [chunk] = given
    const isIt = this.remotePort === Number(process.env["TEST_DATABASE_PORT"]) && chunk instanceof Uint8Array &&
      pattern.test(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1"))
    if (isIt && moment === "before") end()
    if (isIt && moment === "answered") this.prependOnceListener("data", end)
    const sent = write.apply(this, given)
    // Small writes reach the kernel before this returns.
    if (isIt && moment === "sent") end()
    return sent
  } as typeof write
}
