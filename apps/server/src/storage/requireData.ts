/** Commands that read the embedded storage do not create it. */
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import { failed } from "../UsageError.ts"
import type { Storage } from "../settings/StorageSettings.ts"

const hasDatabase = (directory: string, name: string): boolean =>
  (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0) > 0

/** Fails if the data directory has no data, or cannot be used. */
export const requireData = Effect.fnUntraced(function*(storage: Storage) {
  if (storage.kind !== "embedded") return
  const { DataDirectory } = yield* Effect.promise(() => import("@tributary/node/DataDirectory"))
  const { FILE_NAME } = yield* Effect.promise(() => import("@tributary/sqlite/fileName"))
  const path = yield* Effect.mapError(DataDirectory.inspect(storage.directory), ({ message }) => failed(message))
  if (path !== null && hasDatabase(path, FILE_NAME)) return
  return yield* failed(
    `There is no data in ${storage.directory} yet. Start the server there, run "tributary migrate", or set ` +
      "TRIBUTARY_DATA_DIR."
  )
})
