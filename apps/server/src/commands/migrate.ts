/** `tributary migrate`: brings the storage that is set up to date, for a deployment that does so before it serves. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Report } from "../Command.ts"
import { calledWrongly } from "../reach/failures.ts"
import * as Settings from "../Settings.ts"
import * as Storage from "../storage/Storage.ts"

export const migrate = Effect.fnUntraced(function*() {
  const { storage } = yield* Settings.load
  if (storage.kind === "memory") return yield* calledWrongly("Storage in memory has nothing to migrate. Set TRIBUTARY_STORAGE.")
  yield* Layer.build(Storage.migrations(storage))
  const place = storage.kind === "embedded" ? `the data directory ${storage.directory}` : `schema "${storage.schema}"`
  const report: Report = {
    json: { status: "up_to_date", storage: storage.kind, schema: storage.schema },
    text: `The tables in ${place} are up to date.`
  }
  return report
}, Effect.scoped)
