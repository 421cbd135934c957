/** `tributary doctor`: checks that the configured storage is usable and undamaged. */
import * as Effect from "effect/Effect"
import { calledWrongly, failed } from "../UsageError.ts"
import * as Settings from "../settings/Settings.ts"
import { requireData } from "../storage/requireData.ts"
import * as Storage from "../storage/Storage.ts"
import { endedBySignals } from "./transfer/longCall.ts"

export const doctor = Effect.fnUntraced(function*() {
  const { storage } = yield* Settings.load
  if (storage.kind === "memory") return yield* calledWrongly("Storage in memory has nothing to check.")
  yield* requireData(storage)
  const problems = yield* endedBySignals(Storage.check(storage))
  const place = Storage.nameOf(storage)
  if (problems.length > 0) {
    return yield* failed(
      [`The database in ${place} is damaged. Restore a backup, or export what can still be read.`, ...problems].join(
        "\n"
      )
    )
  }
  return { json: { storage: storage.kind, problems }, text: `The database in ${place} is sound.` }
})
