/**
 * Loaded into a server under test before its own code (`node --import`): moves its clock, or kills it at a statement
 * to Postgres, or at a named write of the embedded database.
 *
 * `TEST_CLOCK_OFFSET` is in milliseconds; the message "CLOCK 5000" sets it in a running server. `TEST_END` is "SIGNAL
 * MOMENT PATTERN": the process sends itself the signal at the first statement that matches, or the third with "3.
 * PATTERN": `before` it leaves, once it is `sent`, or when it is `answered`. The same may come as a message once the
 * server runs, and is answered with another.
 */
import { Socket } from "node:net"
import { isMainThread, Worker } from "node:worker_threads"

let offset = Number(process.env["TEST_CLOCK_OFFSET"] ?? 0)

const readEnd = (text: string) => {
  const [, signal, moment, number = 1, pattern] = /^(\w+) (before|sent|answered) (?:(\d+)\. )?(.+)$/.exec(text) ?? []
  return pattern === undefined ? null : { signal, moment, left: Number(number), pattern: new RegExp(pattern) }
}

let planned = readEnd(process.env["TEST_END"] ?? "")

const Original = Date
globalThis.Date = class extends Original {
  constructor(...given: []) {
    if (given.length === 0) super(Original.now() + offset)
    else super(...given)
  }
  static override now = () => Original.now() + offset
  // Those that come from another thread are of the original class.
  static override [Symbol.hasInstance] = (value: unknown) => Original[Symbol.hasInstance](value)
} as DateConstructor

/** Null for a statement without an action. */
const momentsOf = (statement: string) => {
  const plan = planned
  if (plan === null || !plan.pattern.test(statement) || --plan.left > 0) return null
  return (moment: "before" | "sent" | "answered") => {
    if (moment !== plan.moment || plan !== planned) return
    planned = null
    process.kill(process.pid, plan.signal)
  }
}

/** The text of prepared statements, of which Postgres later gets only the names. */
const prepared = new Map<string, string>()

const statementsIn = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  for (const [, name = "", statement = ""] of text.matchAll(/P[^]{4}(effect_\w+)\0([^\0]+)/g)) {
    prepared.set(name, statement)
  }
  const bound = [...text.matchAll(/B[^]{4}\0(effect_\w+)\0/g)].map(([, name = ""]) => prepared.get(name))
  return [text, ...bound].join()
}

if (isMainThread) {
  process.on("message", (text: string) => {
    const [, moved] = /^CLOCK (-?\d+)$/.exec(text) ?? []
    if (moved === undefined) planned = readEnd(text)
    else offset = Number(moved)
    process.send?.("understood")
  })
  process.channel?.unref()
  // The thread of the embedded database gets named writes as messages, Postgres statements as bytes.
  const postMessage = Worker.prototype.postMessage
  Worker.prototype.postMessage = function(
    this: Worker,
    message: { readonly id?: number; readonly name?: string; readonly args?: ReadonlyArray<unknown> },
    ...rest
  ) {
    const { args, name } = message
    // A write that is recorded has its own name behind the entries.
    const written = name === "recorded" ? String(args?.[1]) : name
    const reach = written === undefined || args === undefined ? null : momentsOf(written)
    if (reach === null) return postMessage.call(this, message, ...rest)
    reach("before")
    this.prependListener("message", (replies: ReadonlyArray<{ readonly id: number }>) => {
      if (replies.some(({ id }) => id === message.id)) reach("answered")
    })
    postMessage.call(this, message, ...rest)
    reach("sent")
  }
  const write = Socket.prototype.write
  Socket.prototype.write = function(this: Socket, ...given: Parameters<typeof write>) {
    const [chunk] = given
    const isToDatabase = this.remotePort === Number(process.env["TEST_DATABASE_PORT"]) && chunk instanceof Uint8Array
    const reach = isToDatabase ? momentsOf(statementsIn(chunk)) : null
    if (reach === null) return write.apply(this, given)
    reach("before")
    this.prependOnceListener("data", () => reach("answered"))
    const sent = write.apply(this, given)
    // Small writes reach the kernel before this returns.
    reach("sent")
    return sent
  } as typeof write
}
