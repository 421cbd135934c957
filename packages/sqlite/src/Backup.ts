/** Copies of the database file, made while a server uses it, and its integrity. */
import { errorMessage } from "@tributary/node/errors"
import { renameNew } from "@tributary/node/renameNew"
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { Effect } from "effect"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import { openForCopying } from "./internal/openDatabase.ts"
import type { SqliteConnection } from "./internal/SqliteConnection.ts"

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

const attempt = (path: string, act: () => void): Effect.Effect<void, DatabaseUnusable> =>
  Effect.try({ try: act, catch: (error) => new DatabaseUnusable({ path, problem: errorMessage(error) }) })

/** Writes a consistent copy to a new file, while others continue to write. */
export const backup = Effect.fn("Backup.backup")(function*(path: string, target: string) {
  const db = yield* openForCopying(path)
  const partial = `${target}.${process.pid}.partial`
  yield* attempt(target, () => {
    // Created here for its mode: SQLite fills an empty file.
    closeSync(openSync(partial, "wx", 0o600))
    db.run("VACUUM INTO ?", partial)
    sync(partial)
    renameNew(partial, target)
    syncFolderOf(target)
  }).pipe(Effect.ensuring(Effect.sync(() => rmSync(partial, { force: true }))))
}, Effect.scoped)

const SQLITE_CORRUPT = 11

const problemsOf = (db: SqliteConnection): ReadonlyArray<string> => {
  try {
    return db.all<{ readonly integrity_check: string }>("PRAGMA integrity_check(20)")
      .map(({ integrity_check }) => integrity_check)
      .filter((line) => line !== "ok")
  } catch (error) {
    // The check itself gives up on some kinds of damage.
    if ((((error as { readonly errcode?: number }).errcode ?? 0) & 0xff) !== SQLITE_CORRUPT) throw error
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
  const problems = yield* checkIntegrity(source)
  const [first] = problems
  if (first !== undefined) return yield* new DatabaseUnusable({ path: source, problem: `it is damaged (${first})` })
  if (existsSync(path)) {
    return yield* new DatabaseUnusable({
      path,
      problem: "it exists already. A backup is restored into a new directory"
    })
  }
  const partial = `${path}.partial`
  yield* attempt(path, () => {
    copyFileSync(source, partial)
    sync(partial)
    renameSync(partial, path)
    syncFolderOf(path)
  })
})
