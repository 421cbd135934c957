/** Commands that read the embedded storage do not create it. */
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { failed } from "../UsageError.ts"
import type { Storage } from "../settings/StorageSettings.ts"

export const requireData = (storage: Storage) =>
  storage.kind !== "embedded" || existsSync(storage.directory)
    ? Effect.void
    : Effect.fail(failed(
      `There is no data in ${storage.directory} yet. Start the server there, run "tributary migrate", or set ` +
        "TRIBUTARY_DATA_DIR."
    ))
