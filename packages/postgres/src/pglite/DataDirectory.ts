/**
 * The directory that an embedded deployment keeps everything in: the database, and what other parts put beside it.
 *
 * One process holds it at a time. Two on the same database files would each report success and destroy the other's rows,
 * so the second one is refused. A directory that is not ours, or of another version, is left as it is.
 *
 * @since 0.1.0
 */
import { mkdirSync, realpathSync, rmSync } from "node:fs"
import type { Server, Socket } from "node:net"
import { join } from "node:path"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { judgeDatabase, readFormat, writeFormat } from "./internal/dataFormat.ts"
import { readLine } from "./internal/jsonLine.ts"
import { closeServer, controlAddress, guardAddress, listen, reach, removeSocket } from "./internal/localSocket.ts"

/** @since 0.1.0 @category errors */
export class DataDirectoryInUse extends Schema.TaggedError<DataDirectoryInUse>()("DataDirectoryInUse", {
  path: Schema.String,
  /** `null` when the other process does not answer; it may be stopped, and holds the directory all the same. */
  pid: Schema.NullOr(Schema.Int),
  /** Whether it answers requests at the control socket; who does not will likely be gone soon. */
  serves: Schema.Boolean
}) {
  override get message(): string {
    const who = this.pid === null
      ? "another process"
      : this.pid === process.pid
      ? "this process already"
      : `another process (pid ${this.pid})`
    return `The data directory ${this.path} is in use by ${who}. Stop it first, or choose another data directory.`
  }
}

/** @since 0.1.0 @category errors */
export class DataDirectoryUnusable extends Schema.TaggedError<DataDirectoryUnusable>()("DataDirectoryUnusable", {
  path: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `The data directory ${this.path} cannot be used: ${this.problem}. Nothing in it was changed.`
  }
}

/** @since 0.1.0 @category services */
export class DataDirectory extends Context.Service<DataDirectory, {
  /** Without symbolic links. Other parts keep their files in folders of their own here. */
  readonly path: string
  readonly databasePath: string
  /** To be run when the database has opened: from now on it holds what must not be lost. */
  readonly settle: Effect.Effect<void>
  /** Hands the connections of the control socket to somebody, until the scope closes. */
  serve(onConnection: (socket: Socket) => void): Effect.Effect<void, never, Scope.Scope>
}>()("@tributary/postgres/pglite/DataDirectory") {
  /**
   * Makes the directory if it is not there, readable for its owner only.
   *
   * @since 0.1.0
   */
  static readonly layer = (path: string): Layer.Layer<DataDirectory, DataDirectoryInUse | DataDirectoryUnusable> =>
    Layer.effect(DataDirectory, hold(path))
}

const sentence = (error: unknown): string => error instanceof Error ? error.message : String(error)

const attempt = <A>(path: string, act: () => A | Promise<A>): Effect.Effect<A, DataDirectoryUnusable> =>
  Effect.tryPromise({
    try: async () => act(),
    catch: (error) => new DataDirectoryUnusable({ path, problem: sentence(error) })
  })

/** How long the holder of a directory may take to say who it is. */
const introduction = 2000

/** What a holder says of itself. */
interface Holder {
  readonly pid: number | null
  readonly serves: boolean
}

/** Asks who listens there. `undefined` when nobody does. */
const holder = async (address: string): Promise<Holder | undefined> => {
  const socket = await reach(address)
  if (socket === undefined) return undefined
  try {
    socket.write(`${JSON.stringify({ name: "pid" })}\n`)
    const { pid, serves }: { readonly pid?: unknown; readonly serves?: unknown } = JSON.parse(
      await readLine(socket, introduction)
    )
    return { pid: typeof pid === "number" ? pid : null, serves: serves === true }
  } catch {
    return { pid: null, serves: false }
  } finally {
    socket.destroy()
  }
}

const introduce = (socket: Socket, serves: boolean): void => {
  socket.on("error", () => socket.destroy())
  // Without reading, the other side's leaving would go unnoticed.
  socket.resume().end(`${JSON.stringify({ pid: process.pid, serves } satisfies Holder)}\n`)
}

/** Listens at `address` until the scope closes, or says who else does. */
const occupy = (path: string, address: string, onConnection: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const onOne = (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    onConnection(socket)
  }
  const close = (server: Server) =>
    Effect.promise(async () => {
      for (const socket of sockets) socket.destroy()
      await closeServer(server)
    })
  const listening = Effect.filterOrElse(
    attempt(path, () => listen(address, onOne)),
    (server) => server !== undefined,
    () =>
      Effect.flatMap(
        attempt(path, () => holder(address)),
        (other = { pid: null, serves: false }) => Effect.fail(new DataDirectoryInUse({ path, ...other }))
      )
  )
  return Effect.acquireRelease(listening, close)
}

const hold = Effect.fnUntraced(function*(given: string) {
  const path = yield* attempt(given, () => {
    mkdirSync(given, { recursive: true, mode: 0o700 })
    return realpathSync(given)
  })
  // Once before anything is made in it, and again below when nobody else can change it any more.
  yield* attempt(path, () => readFormat(path))

  let handler: ((socket: Socket) => void) | undefined
  const guard = yield* attempt(path, () => guardAddress(path))
  if (guard !== undefined) yield* occupy(path, guard, (socket) => introduce(socket, handler !== undefined))

  const control = yield* attempt(path, () => controlAddress(path))
  // Whoever shares the directory from another container has a guard of its own, but this file in common.
  const other = yield* attempt(path, () => holder(control))
  if (other !== undefined) return yield* new DataDirectoryInUse({ path, ...other })
  yield* attempt(path, () => removeSocket(control))
  yield* occupy(path, control, (socket) => handler === undefined ? introduce(socket, false) : handler(socket))

  const databasePath = join(path, "database")
  const state = yield* attempt(path, () => readFormat(path))
  if (state !== "ready") {
    yield* attempt(path, () => {
      writeFormat(path, "creating")
      // A start that was killed amid the making of the database left a part of one.
      rmSync(databasePath, { recursive: true, force: true })
      mkdirSync(databasePath, { mode: 0o700 })
    })
  } else {
    yield* attempt(path, () => judgeDatabase(databasePath))
  }

  return DataDirectory.of({
    path,
    databasePath,
    settle: state === "ready" ? Effect.void : Effect.sync(() => writeFormat(path, "ready")),
    serve: (onConnection) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          handler = onConnection
        }),
        () =>
          Effect.sync(() => {
            handler = undefined
          })
      )
  })
})
