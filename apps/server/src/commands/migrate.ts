/** `tributary migrate`: brings the configured storage up to date, for deployments that migrate before they serve. */
import * as Effect from "effect/Effect"
import { calledWrongly } from "../UsageError.ts"
import { recorded } from "../storage/recording.ts"
import * as Settings from "../settings/Settings.ts"
import * as Storage from "../storage/Storage.ts"

const isServed = Effect.fnUntraced(function*(directory: string) {
  const { overSocket } = yield* Effect.promise(() => import("../transport/overSocket.ts"))
  return (yield* overSocket(directory)) !== null
})

export const migrate = Effect.fnUntraced(function*() {
  const { storage } = yield* Settings.load
  if (storage.kind === "memory") {
    return yield* calledWrongly("Storage in memory has nothing to migrate. Set TRIBUTARY_STORAGE.")
  }
  // A running server has migrated its storage already, and holds its lock.
  if (!(storage.kind === "embedded" && (yield* isServed(storage.directory)))) {
    yield* Storage.migrate(storage)
    yield* recorded(storage, "migrate", null)
  }
  return {
    json: {
      status: "up_to_date",
      storage: storage.kind,
      ...(storage.kind === "postgres" ? { schema: storage.schema } : {})
    },
    text: `The tables in ${Storage.nameOf(storage)} are up to date.`
  }
})
