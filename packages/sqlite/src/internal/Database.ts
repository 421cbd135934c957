/**
 * The database as the ports use it. Short queries run in the calling thread, which costs less than a message to another
 * one. Writes run in a separate thread, where a commit may wait for the disk, and long reads in a third.
 */
import { StorageUnavailable } from "@tributary/core/model/Error"
import type { AuditDraft } from "@tributary/core/model/AuditEntry"
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { Stored } from "@tributary/core/ports/Storage"
import { ownModule, requireModule } from "@tributary/node/ownModule"
import { Context, Effect, Layer } from "effect"
import { type LongReads } from "../reads/index.ts"
import type { Writes } from "../writes/index.ts"
import { isOpen } from "./isOpen.ts"
import { type Announcements, makeAnnouncements } from "./announcements.ts"
import { DatabaseThread } from "./DatabaseThread.ts"
import type { Arguments, Operations } from "./messages.ts"
import { openDatabase } from "./openDatabase.ts"
import type { SqliteConnection } from "./SqliteConnection.ts"
import { BUSY, CANTOPEN, CORRUPT, FULL, IOERR, LOCKED, NOMEM, NOTADB, READONLY, resultCode } from "./resultCodes.ts"

export interface SqliteOptions {
  /** The database file. It is created when it does not exist. */
  readonly path: string
  /** Whether a write waits for the disk before it is answered; true by default. */
  readonly fsync?: boolean
  /** No other process uses the file: jobs that an earlier process left running are due at once. */
  readonly alone?: boolean
}

export class Database extends Context.Service<
  Database,
  Announcements & {
    /** Sees every write that was answered before. A single statement sees one moment. */
    read<A>(query: (db: SqliteConnection) => A): Stored<A>
    /** The same of an open workspace; `absent` for another one. */
    readOpen<A>(workspaceId: WorkspaceId, absent: A, query: (db: SqliteConnection) => A): Stored<A>
    /** As `read` in another thread, for reads that may take long. */
    readLong<Name extends keyof LongReads>(
      name: Name,
      ...args: Arguments<LongReads[Name]>
    ): Stored<ReturnType<LongReads[Name]>>
    write<Name extends keyof Writes>(name: Name, ...args: Arguments<Writes[Name]>): Stored<ReturnType<Writes[Name]>>
  }
>()("@tributary/sqlite/Database") {
  static readonly layer = (options: SqliteOptions) => Layer.effect(Database, make(options))
}

/** Drafts of entries that the next write stores with its change. */
export const Recording = Context.Reference<ReadonlyArray<AuditDraft>>("@tributary/sqlite/Recording", {
  defaultValue: () => []
})

type Write = <Name extends keyof Writes>(name: Name, args: Arguments<Writes[Name]>) => Stored<ReturnType<Writes[Name]>>

/** Stores with each write the entries that are recorded with it. */
export const recording = (write: Write): Database["Service"]["write"] => (name, ...args) =>
  Effect.flatMap(Recording, (drafts) =>
    drafts.length === 0
      ? write(name, args)
      : write("recorded", [drafts, name, args]) as ReturnType<typeof write<typeof name>>)

const DAMAGED = "A page of the database is damaged. Restore a backup, or export what can still be read."

const DAMAGE: ReadonlySet<number | undefined> = new Set([CORRUPT, NOTADB])
const UNAVAILABLE = new Set([BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, ...DAMAGE])

const failing = (cause: unknown): Effect.Effect<never, StorageUnavailable> => {
  const code = resultCode(cause)
  if (!UNAVAILABLE.has(code)) return Effect.die(cause)
  return Effect.fail(new StorageUnavailable({ cause: DAMAGE.has(code) ? new Error(DAMAGED, { cause }) : cause }))
}

const WRITER = ownModule(new URL("./writeWorker.ts", import.meta.url))
const READER = ownModule(new URL("./readWorker.ts", import.meta.url))

const READER_IDLE_MILLIS = 30_000

const thread = <All extends Operations>(options: ConstructorParameters<typeof DatabaseThread>[0]) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseThread<All>(options)),
    (thread) => Effect.promise(() => thread.close())
  )

const make = Effect.fnUntraced(function*({ alone = false, fsync = true, path }: SqliteOptions) {
  yield* requireModule(WRITER)
  const main = yield* openDatabase({ path, fsync })
  if (alone) yield* Effect.sync(() => main.run("UPDATE jobs SET lease_until = 0 WHERE status = 'running'"))
  const writer = yield* thread<Writes>({ entry: WRITER, path, fsync })
  const reader = yield* thread<LongReads>({
    entry: READER,
    path,
    fsync,
    readOnly: true,
    idleMillis: READER_IDLE_MILLIS
  })

  const read = <A>(query: (db: SqliteConnection) => A): Stored<A> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(query(main))
      } catch (error) {
        return failing(error)
      }
    })

  return Database.of({
    read,
    readOpen: (workspaceId, absent, query) => read((db) => isOpen(db, workspaceId) ? query(db) : absent),
    readLong: (name, ...args) =>
      Effect.callback((resume) => {
        reader.run(name, args, (value) => resume(Effect.succeed(value)), (error) => resume(failing(error)))
      }),
    write: recording((name, args) =>
      Effect.callback((resume) => {
        writer.run(name, args, (value) => resume(Effect.succeed(value)), (error) => resume(failing(error)))
      })
    ),
    ...makeAnnouncements()
  })
})
