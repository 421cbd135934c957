/** `tributary backup` and `tributary restore`: a copy of the embedded database, made while a server uses it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import type { Arguments } from "../cli/Command.ts"
import { calledWrongly, failed } from "../UsageError.ts"
import { recorded, recording } from "../storage/recording.ts"
import { requireData } from "../storage/requireData.ts"
import * as Settings from "../settings/Settings.ts"
import * as Storage from "../storage/Storage.ts"
import { firstBytes } from "../firstBytes.ts"
import { HEADER_BYTES } from "./transfer/encryption.ts"
import { bringKey, keepKey } from "./transfer/keyNotes.ts"
import { endedBySignals } from "./transfer/longCall.ts"
import { isExport } from "./transfer/readStoreFile.ts"
import { reading, requireNew } from "./transfer/transferCommand.ts"

const embeddedSettings = Effect.gen(function*() {
  const settings = yield* Settings.load
  const { storage } = settings
  if (storage.kind === "embedded") return { ...settings, storage }
  return yield* calledWrongly(
    storage.kind === "postgres"
      ? "Back up a Postgres with pg_dump, and restore it with pg_restore."
      : "Storage in memory cannot be backed up. Set TRIBUTARY_STORAGE."
  )
})

export const backup = Effect.fnUntraced(function*(args: Arguments) {
  const [file = ""] = args.positionals
  const settings = yield* embeddedSettings
  const { storage } = settings
  yield* requireNew(file)
  yield* requireData(storage)
  const [duration] = yield* Effect.timed(
    recording(storage, "backup", { file: resolve(file) })(endedBySignals(Storage.backup(storage, file)))
  )
  const seconds = Duration.toSeconds(duration)
  return {
    json: { file, seconds },
    text: `Backed up ${Storage.nameOf(storage)} to ${file} in ${seconds.toFixed(1)} s.${keepKey(settings)}`
  }
})

export const restore = Effect.fnUntraced(function*(args: Arguments) {
  const [file = ""] = args.positionals
  const settings = yield* embeddedSettings
  const { storage } = settings
  if (isExport(yield* reading(file, () => firstBytes(file, HEADER_BYTES)))) {
    return yield* failed(`${file} is an export, not a backup: "tributary import" loads it.`)
  }
  yield* endedBySignals(Storage.restore(storage, file))
  yield* recorded(storage, "restore", { file: resolve(file) })
  return { json: { file }, text: `Restored ${file} into ${Storage.nameOf(storage)}.${bringKey(settings)}` }
})
