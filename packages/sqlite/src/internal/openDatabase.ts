/** Opens the database file and brings its schema up to date, or says in one sentence why that is impossible. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { sqliteProblem } from "@tributary/node/sqliteSupport"
import { Effect } from "effect"
import { DatabaseUnusable } from "../DatabaseUnusable.ts"
import { assertCurrent, ForeignFile, migrate, readVersion } from "./migrate.ts"
import { type ConnectionOptions, SqliteConnection } from "./SqliteConnection.ts"
import { BUSY, CANTOPEN, CORRUPT, FULL, IOERR, NOTADB, READONLY, resultCode } from "./resultCodes.ts"
import { errorCode, errorMessage } from "@tributary/node/errors"

const PROBLEMS: Readonly<Record<number, string>> = {
  [BUSY]: "another process has locked it",
  [READONLY]: "it cannot be written to",
  [CORRUPT]: "it is damaged; restore an earlier backup",
  [FULL]: "the disk is full",
  [IOERR]: "its disk is full or reports an error",
  [CANTOPEN]: "it cannot be opened",
  [NOTADB]: "it is not a database"
}

/** Undefined for what is a defect. */
const problemOf = (error: unknown): string | undefined => {
  if (error instanceof ForeignFile) return error.message
  const result = resultCode(error)
  if (result !== undefined) return PROBLEMS[result] ?? errorMessage(error)
  const code = errorCode(error)
  if (code === "ENOENT") return "it does not exist"
  return code === "EACCES" || code === "EROFS" || code === "EPERM" ? "it cannot be written to" : undefined
}

const HEADER = "SQLite format 3\0"

const readHeader = (path: string): string => {
  const file = openSync(path, "r")
  try {
    const header = Buffer.alloc(HEADER.length)
    return header.toString("latin1", 0, readSync(file, header, 0, HEADER.length, 0))
  } finally {
    closeSync(file)
  }
}

/** Throws when the file is not a database that `check` accepts. */
const inspect = (path: string, check: (db: SqliteConnection) => void): SqliteConnection => {
  const found = statSync(path)
  if (found.isDirectory()) throw new ForeignFile("it is a folder")
  accessSync(path, constants.R_OK)
  if (readHeader(path) !== HEADER) throw new ForeignFile("it is not a database")
  const reader = new SqliteConnection({ path, fsync: false, readOnly: true })
  try {
    check(reader)
    return reader
  } catch (error) {
    reader.close()
    throw error
  }
}

/** Its log of what is not in the file yet. SQLite would delete it beside a new file, and apply it to a restored one. */
export const hasLog = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Checked before anything is opened for writing, which would already change a file. */
const assertUsable = (path: string): void => {
  accessSync(dirname(path), constants.W_OK)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && found.size === 0)) {
    if (!hasLog(path)) return
    throw new ForeignFile(
      `it is missing or empty, but not ${basename(path)}-wal. Put it back, or restore a backup into a new directory`
    )
  }
  inspect(path, readVersion).close()
  accessSync(path, constants.W_OK)
}

/** Earlier releases collected them. Those of a table that was small make SQLite walk it when it has become large. */
const FORGET_STATISTICS = "DROP TABLE IF EXISTS sqlite_stat1"

const open = (options: ConnectionOptions): SqliteConnection => {
  assertUsable(options.path)
  // Sets its mode, which the files beside it inherit.
  closeSync(openSync(options.path, "a", 0o600))
  const connection = new SqliteConnection(options)
  try {
    migrate(connection)
    connection.exec(FORGET_STATISTICS)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const unusable = (path: string, problem: string) => Effect.fail(new DatabaseUnusable({ path, problem }))

/** What the database throws because of the file or its disk, and not because of a mistake of ours. */
export const orUnusable = (path: string) => <A, E, R>(task: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(task, (error) => {
    const problem = problemOf(error)
    return problem === undefined ? Effect.die(error) : unusable(path, problem)
  })

const opening = (path: string, open: () => SqliteConnection): Effect.Effect<SqliteConnection, DatabaseUnusable> =>
  Effect.suspend(() =>
    sqliteProblem === undefined ? orUnusable(path)(Effect.sync(open)) : unusable(path, sqliteProblem)
  )

const closing = (opened: Effect.Effect<SqliteConnection, DatabaseUnusable>) =>
  Effect.acquireRelease(opened, (connection) => Effect.sync(() => connection.close()))

/** Creates the database when it is absent, and brings its schema up to date. */
export const openDatabase = (options: ConnectionOptions) => closing(opening(options.path, () => open(options)))

/** For reading beside a process that may be writing. */
export const openForReading = (path: string) => closing(opening(path, () => inspect(path, assertCurrent)))

/** For reading the file as a whole, which may be of an earlier release. */
export const openForCopying = (path: string) => closing(opening(path, () => inspect(path, readVersion)))
