/** `tributary backup` and `tributary restore`: a copy of the embedded database, made while a server uses it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly, failed } from "../UsageError.ts"
import { recorded, recording } from "../storage/recording.ts"
import { requireData } from "../storage/requireData.ts"
import * as Settings from "../settings/Settings.ts"
import * as Storage from "../storage/Storage.ts"

const embeddedStorage = Effect.gen(function*() {
  const { storage } = yield* Settings.load
  if (storage.kind === "embedded") return storage
  return yield* calledWrongly(
    storage.kind === "postgres"
      ? "Back up a Postgres with pg_dump, and restore it with pg_restore."
      : "Storage in memory cannot be backed up. Set TRIBUTARY_STORAGE."
  )
})

/** The encryption key is a separate file beside the database, and in no backup. */
const keyNote = (directory: string): string => {
  const key = join(directory, "encryption.key")
  return existsSync(key) ? ` Secrets of connections need ${key}, too: keep a copy of it elsewhere.` : ""
}

export const backup = Effect.fnUntraced(function*(args: Arguments) {
  const [file = ""] = args.positionals
  const storage = yield* embeddedStorage
  if (existsSync(file)) return yield* failed(`${file} exists already. Choose another name, or remove it.`)
  yield* requireData(storage)
  const [duration] = yield* Effect.timed(
    recording(storage, "backup", { file: resolve(file) })(Storage.backup(storage, file))
  )
  const seconds = Duration.toSeconds(duration)
  return {
    json: { file, seconds },
    text: `Backed up ${Storage.nameOf(storage)} to ${file} in ${seconds.toFixed(1)} s.${keyNote(storage.directory)}`
  }
})

export const restore = Effect.fnUntraced(function*(args: Arguments) {
  const [file = ""] = args.positionals
  const storage = yield* embeddedStorage
  yield* Storage.restore(storage, file)
  yield* recorded(storage, "restore", { file: resolve(file) })
  return { json: { file }, text: `Restored ${file} into ${Storage.nameOf(storage)}.` }
})
