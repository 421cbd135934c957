/**
 * How the command line reaches the server that holds a data directory: one request and one answer per connection, each a
 * line of JSON, over the directory's socket. A process that can open the socket (mode 0600) may do everything.
 */
import type { Socket } from "node:net"
import { Duration, Effect, FiberSet, Layer, Schema } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { errorCode, errorMessage } from "./errors.ts"
import { longestLine, readLine } from "./internal/jsonLine.ts"
import { connectTo, controlAddress } from "./internal/controlSocket.ts"

/** The server understood, and says no. */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  message: Schema.String
}) {}

/** Nothing was sent: one line takes no more. */
export class RequestTooLong extends Schema.TaggedError<RequestTooLong>()("RequestTooLong", {}) {
  override get message(): string {
    return "the request is too long"
  }
}

/** Nobody serves the data directory, so the caller may open it itself, once nobody else holds it. */
export class NoServer extends Schema.TaggedError<NoServer>()("NoServer", { path: Schema.String }) {
  override get message(): string {
    return `No server runs on the data directory ${this.path}.`
  }
}

/** The directory is another user's. */
export class ControlChannelForbidden extends Schema.TaggedError<ControlChannelForbidden>()("ControlChannelForbidden", {
  path: Schema.String
}) {
  override get message(): string {
    return `This user may not use the data directory ${this.path}. Run the command as the user of the server.`
  }
}

/** Somebody is there, but no answer came. */
export class ControlChannelBroken extends Schema.TaggedError<ControlChannelBroken>()("ControlChannelBroken", {
  path: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `The server on the data directory ${this.path} did not answer: ${this.problem}.`
  }
}

/** What a server does with a request. */
export type Answer<R> = (name: string, payload: Schema.Json) => Effect.Effect<Schema.Json, RequestRefused, R>

const Request = Schema.fromJsonString(Schema.Struct({
  name: Schema.String,
  payload: Schema.Json.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}))

const Reply = Schema.fromJsonString(Schema.Union([
  Schema.Struct({ answer: Schema.Json }),
  Schema.Struct({ refused: Schema.String }),
  // A command holds the directory, or a server that does not serve yet.
  Schema.Struct({ serves: Schema.Literal(false) })
]))
type Reply = typeof Reply.Type

/** How long a client may take to send its request. */
const requestMilliseconds = 10_000

/** More than a person's commands ever need; further ones are refused. */
const concurrentRequests = 32

const read = (socket: Socket, milliseconds: number) =>
  Effect.tryPromise({
    try: () => readLine(socket, milliseconds),
    catch: (error) => new RequestRefused({ message: errorMessage(error) })
  })

const write = (socket: Socket, reply: Reply) => {
  const text = JSON.stringify(reply)
  const isTooLong = Buffer.byteLength(text) > longestLine
  socket.end(`${isTooLong ? JSON.stringify({ refused: "the answer is too long" }) : text}\n`)
  // Drains the request without parsing it, so that a client that is still sending sees the answer, but not forever.
  socket.resume().setTimeout(requestMilliseconds, () => socket.destroy())
}

/** Answers requests as long as the layer lives. */
export const layer = <R>(answer: Answer<R>): Layer.Layer<never, never, DataDirectory | R> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const directory = yield* DataDirectory
    const run = yield* FiberSet.makeRuntime<R>()
    const open = new Set<Socket>()

    const respond = Effect.fnUntraced(
      function*(socket: Socket) {
        const line = yield* read(socket, requestMilliseconds)
        const { name, payload } = yield* Schema.decodeEffect(Request)(line).pipe(
          Effect.mapError(() => new RequestRefused({ message: "the request is no JSON object with a name" }))
        )
        // For a second process that wants the directory.
        if (name === "pid") return socket.end(`${JSON.stringify({ pid: process.pid, serves: true })}\n`)
        write(socket, { answer: yield* answer(name, payload) })
      },
      Effect.catch(({ message }) => Effect.succeed(message)),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("control request failed", defect), "the request failed; see the server's log")
      ),
      (respond, socket) =>
        Effect.map(respond, (refused) => typeof refused === "string" ? write(socket, { refused }) : undefined)
    )

    yield* directory.serve((socket) => {
      socket.on("error", () => socket.destroy())
      if (open.size >= concurrentRequests) return write(socket, { refused: "too many requests at once" })
      open.add(socket)
      const fiber = run(respond(socket))
      socket.once("close", () => {
        open.delete(socket)
        fiber.interruptUnsafe()
      })
    })
  }))

/** Asks the server that holds the data directory. */
export const request = Effect.fn("ControlChannel.request")(function*(
  path: string,
  name: string,
  payload: Schema.Json,
  options: { readonly timeout?: Duration.Input } = {}
) {
  const broken = (error: unknown) =>
    errorCode(error) === "EACCES"
      ? new ControlChannelForbidden({ path })
      : new ControlChannelBroken({ path, problem: errorMessage(error) })
  const socket = yield* Effect.acquireRelease(
    Effect.tryPromise({
      // A missing directory has no holder, either.
      try: async () => {
        let address: string
        try {
          address = controlAddress(path)
        } catch (error) {
          if (errorCode(error) === "ENOENT") return undefined
          throw error
        }
        return connectTo(address)
      },
      catch: broken
    }),
    (opened) => Effect.sync(() => opened?.destroy())
  )
  if (socket === undefined) return yield* new NoServer({ path })
  const text = `${JSON.stringify({ name, payload })}\n`
  if (Buffer.byteLength(text) > longestLine) return yield* new RequestTooLong()
  const line = yield* Effect.tryPromise({
    try: () => {
      const answer = readLine(socket, Duration.toMillis(options.timeout ?? "1 minute"))
      socket.write(text)
      return answer
    },
    catch: broken
  })
  const reply = yield* Effect.mapError(Schema.decodeEffect(Reply)(line), broken)
  if ("serves" in reply) return yield* new NoServer({ path })
  return "answer" in reply ? reply.answer : yield* new RequestRefused({ message: reply.refused })
}, Effect.scoped)
