/**
 * The directory of an embedded deployment: it holds the database, and files of other parts beside it.
 *
 * One process holds it at a time; a second one is refused. A directory that belongs to something else, or to another
 * version, is left as it is.
 */
import { lstatSync, realpathSync } from "node:fs"
import type { Server, Socket } from "node:net"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { closeServer, connectTo, controlAddress, listen, removeSocket } from "./internal/controlSocket.ts"
import { noteDatabase, readFormat, writeFormat } from "./internal/directoryFormat.ts"
import { lockDirectory } from "./internal/directoryLock.ts"
import { readLine } from "./internal/jsonLine.ts"
import { networkDrive } from "./internal/networkDrive.ts"
import { directoryProblem } from "./fileProblem.ts"
import { makeDirectory } from "./makeDirectory.ts"
import { sqliteProblem } from "./sqliteSupport.ts"

export class DataDirectoryInUse extends Schema.TaggedError<DataDirectoryInUse>()("DataDirectoryInUse", {
  path: Schema.String,
  /** `null` when the other process does not answer; it may be stopped, and holds the directory all the same. */
  pid: Schema.NullOr(Schema.Int),
  /** Whether it answers requests at the control socket; a process that does not will likely end soon. */
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

export class DataDirectoryUnusable extends Schema.TaggedError<DataDirectoryUnusable>()("DataDirectoryUnusable", {
  path: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `The data directory ${this.path} cannot be used: ${this.problem}. Nothing in it was changed.`
  }
}

export class DataDirectory extends Context.Service<DataDirectory, {
  /** Without symbolic links. Other parts keep their files in separate folders here. */
  readonly path: string
  /** Its file of this name is the database: from now on, the directory is unusable without it. */
  noteDatabase(name: string): Effect.Effect<void>
  /** Handles the connections of the control socket until the scope closes. */
  serve(onConnection: (socket: Socket) => void): Effect.Effect<void, never, Scope.Scope>
}>()("@tributary/node/DataDirectory") {
  /** Makes the directory if it is not there, readable for its owner only. */
  static readonly layer = (path: string): Layer.Layer<DataDirectory, DataDirectoryInUse | DataDirectoryUnusable> =>
    Layer.effect(DataDirectory, hold(path))

  /**
   * The path without symbolic links, for reading beside the process that holds the directory. Null if it is absent or
   * empty.
   */
  static readonly inspect = (path: string): Effect.Effect<string | null, DataDirectoryUnusable> => inspect(path)
}

const attempt = <A>(path: string, act: () => A | Promise<A>): Effect.Effect<A, DataDirectoryUnusable> =>
  Effect.tryPromise({
    try: async () => act(),
    catch: (error) => new DataDirectoryUnusable({ path, problem: directoryProblem(error) })
  })

/** The timeout for the holder of a directory to identify itself. */
const introduction = 2000

/** The identity of the holder of a directory. */
interface Holder {
  readonly pid: number | null
  readonly serves: boolean
}

/** Asks the listener for its identity. `undefined` if nobody listens. */
const holder = async (address: string): Promise<Holder | undefined> => {
  const socket = await connectTo(address)
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

/** Fails with who holds the directory, if they answer at its socket. */
const inUse = (path: string, address: string): Effect.Effect<never, DataDirectoryInUse | DataDirectoryUnusable> =>
  Effect.flatMap(
    attempt(path, () => holder(address)),
    (other = { pid: null, serves: false }) => Effect.fail(new DataDirectoryInUse({ path, ...other }))
  )

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
    () => inUse(path, address)
  )
  return Effect.acquireRelease(listening, close)
}

const inspect = (path: string) =>
  attempt(path, () => {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
    const real = realpathSync(path)
    return readFormat(real) === "empty" ? null : real
  })

/** Locks the directory until the scope closes, or says who else has it. */
const lock = (path: string, control: string) =>
  Effect.acquireRelease(
    Effect.filterOrElse(
      attempt(path, () => lockDirectory(path)),
      (unlock) => unlock !== undefined,
      () => inUse(path, control)
    ),
    (unlock) => Effect.sync(unlock)
  )

const warnOfNetworkDrive = (path: string) =>
  Effect.suspend(() => {
    const drive = networkDrive(path)
    return drive === undefined ? Effect.void : Effect.logWarning(
      `The data directory ${path} is on a network drive (${drive}). Locks there are not reliable: put it on a local disk.`
    )
  })

const hold = Effect.fnUntraced(function*(given: string) {
  if (sqliteProblem !== undefined) return yield* new DataDirectoryUnusable({ path: given, problem: sqliteProblem })
  const path = yield* attempt(given, () => {
    makeDirectory(given)
    return realpathSync(given)
  })
  // Checked before anything is created in it, and again below when nobody else can change it any more.
  yield* attempt(path, () => readFormat(path))
  const control = yield* attempt(path, () => controlAddress(path))
  yield* lock(path, control)
  // A process on another machine may share the directory but not its locks.
  const other = yield* attempt(path, () => holder(control))
  if (other !== undefined) return yield* new DataDirectoryInUse({ path, ...other })

  let handler: ((socket: Socket) => void) | undefined
  yield* attempt(path, () => removeSocket(control))
  yield* occupy(path, control, (socket) => handler === undefined ? introduce(socket, false) : handler(socket))
  yield* attempt(path, () => readFormat(path) === "empty" ? writeFormat(path) : undefined)
  yield* warnOfNetworkDrive(path)

  return DataDirectory.of({
    path,
    // What cannot be written now, such as on a full disk, is written at the next start.
    noteDatabase: (name) => Effect.ignore(attempt(path, () => noteDatabase(path, name))),
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
