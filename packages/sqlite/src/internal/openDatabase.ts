/** Opens the database file and brings its schema up to date, or says in one sentence why that is impossible. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect } from "effect"
import { DatabaseUnusable } from "../DatabaseUnusable.ts"
import { ForeignFile, migrate, readVersion } from "./migrate.ts"
import { type ConnectionOptions, SqliteConnection } from "./SqliteConnection.ts"

/** Before 24.16, Node's driver cuts text at a NUL character. */
const OLDEST_NODE = [24, 16] as const

const isOldNode = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
}

const PROBLEMS: Readonly<Record<number, string>> = {
  5: "another process has locked it",
  8: "it cannot be written to",
  11: "it is damaged: restore a backup",
  13: "the disk is full",
  14: "it cannot be opened",
  26: "it is not a database"
}

/** Undefined for what is a defect. */
const problemOf = (error: unknown): string | undefined => {
  if (error instanceof ForeignFile) return error.message
  const { code, errcode, message } = error as {
    readonly code?: string
    readonly errcode?: number
    readonly message: string
  }
  if (errcode !== undefined) return PROBLEMS[errcode & 0xff] ?? message
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

/** Checked before anything is opened for writing, which would already change a file. */
const assertUsable = (path: string): void => {
  accessSync(dirname(path), constants.W_OK)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (found.isDirectory()) throw new ForeignFile("it is a folder")
  accessSync(path, constants.R_OK | constants.W_OK)
  const header = readHeader(path)
  if (header === "") return
  if (header !== HEADER) throw new ForeignFile("it is not a database")
  const reader = new SqliteConnection({ path, fsync: false, readOnly: true })
  try {
    readVersion(reader)
  } finally {
    reader.close()
  }
}

const open = (options: ConnectionOptions): SqliteConnection => {
  assertUsable(options.path)
  const connection = new SqliteConnection(options)
  try {
    migrate(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

export const openDatabase = (options: ConnectionOptions): Effect.Effect<SqliteConnection, DatabaseUnusable> =>
  Effect.suspend(() => {
    const unusable = (problem: string) => Effect.fail(new DatabaseUnusable({ path: options.path, problem }))
    const { node } = process.versions
    if (isOldNode(node)) {
      return unusable(`SQLite needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${node}`)
    }
    try {
      return Effect.succeed(open(options))
    } catch (error) {
      const problem = problemOf(error)
      return problem === undefined ? Effect.die(error) : unusable(problem)
    }
  })
