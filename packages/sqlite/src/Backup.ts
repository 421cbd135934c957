/** Copies of the database file, made while a server uses it, and its integrity. */
import { errorMessage } from "@tributary/node/errors"
import { writeProblem } from "@tributary/node/fileProblem"
import { partialName, renameNew } from "@tributary/node/newFile"
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Schema } from "effect"
import type { DatabaseUnusable } from "./DatabaseUnusable.ts"
import { hasLog, openForCopying, openForReading } from "./internal/openDatabase.ts"
import type { SqliteConnection } from "./internal/SqliteConnection.ts"
import { CORRUPT, FULL, resultCode } from "./internal/resultCodes.ts"

/** A backup was not made, or not restored; the message says why. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", { message: Schema.String }) {}

const notWritten = (path: string, problem: string) =>
  new BackupFailed({ message: `${path} cannot be written: ${problem}.` })

const notRestored = (source: string, problem: string) =>
  new BackupFailed({ message: `${source} cannot be restored: ${problem}. Nothing was restored.` })

const sync = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Windows cannot open directories, and syncs their entries itself. */
const syncFolderOf = (path: string): void => process.platform === "win32" ? undefined : sync(dirname(path))

const attempt = (path: string, act: () => void): Effect.Effect<void, BackupFailed> =>
  Effect.try({
    try: act,
    catch: (error) => notWritten(path, resultCode(error) === FULL ? "the disk is full" : writeProblem(error))
  })

/** Writes a consistent copy to a new file, while others continue to write. */
export const backup = Effect.fn("Backup.backup")(function*(path: string, target: string) {
  const db = yield* openForCopying(path)
  const partial = partialName(target)
  yield* attempt(target, () => {
    // Created here for its mode: SQLite fills an empty file.
    closeSync(openSync(partial, "wx", 0o600))
    try {
      db.run("VACUUM INTO ?", partial)
      sync(partial)
      renameNew(partial, target)
      syncFolderOf(target)
    } finally {
      for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
    }
  })
}, Effect.scoped)

/** Fails unless the schema is of this release. Changes nothing. */
export const requireCurrent = (path: string): Effect.Effect<void, DatabaseUnusable> =>
  Effect.scoped(Effect.asVoid(openForReading(path)))

const problemsOf = (db: SqliteConnection): ReadonlyArray<string> => {
  try {
    return db.all<{ readonly integrity_check: string }>("PRAGMA integrity_check(20)")
      .map(({ integrity_check }) => integrity_check)
      .filter((line) => line !== "ok")
  } catch (error) {
    // The check itself gives up on some kinds of damage.
    if (resultCode(error) !== CORRUPT) throw error
    return [errorMessage(error)]
  }
}

/** Reads the whole file; an empty list when nothing is wrong with it. */
export const checkIntegrity = Effect.fn("Backup.checkIntegrity")(function*(path: string) {
  const db = yield* openForCopying(path)
  return yield* Effect.sync(() => problemsOf(db))
}, Effect.scoped)

/** Restores a backup into an empty directory, after reading all of it. */
export const restore = Effect.fn("Backup.restore")(function*(source: string, path: string) {
  const problems = yield* Effect.mapError(checkIntegrity(source), ({ problem }) => notRestored(source, problem))
  const [first] = problems
  if (first !== undefined) return yield* notRestored(source, `it is damaged (${first})`)
  if (existsSync(path) || hasLog(path)) {
    return yield* notRestored(source, `there is data in ${dirname(path)} already. Choose a new data directory`)
  }
  const partial = `${path}.partial`
  yield* attempt(path, () => {
    copyFileSync(source, partial)
    sync(partial)
    renameSync(partial, path)
    syncFolderOf(path)
  })
})
