/** The data directory. Waits for commands that hold it briefly. */
import { DataDirectory, type DataDirectoryInUse } from "@tributary/node/DataDirectory"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"

const RETRY = { times: 20, schedule: Schedule.spaced("250 millis") }

/** A process that holds the directory and does not serve is a command, or a server that starts or stops. */
const isPassing = (error: { readonly _tag: string }): error is DataDirectoryInUse =>
  error._tag === "DataDirectoryInUse" && !(error as DataDirectoryInUse).serves

const hold = Effect.fnUntraced(function*(directory: string) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Layer.buildWithScope(DataDirectory.layer(directory), scope).pipe(
    Effect.tapError(() => Scope.close(scope, Exit.void))
  )
})

export const layer = (directory: string) =>
  Layer.effectContext(Effect.suspend(() => {
    let isReported = false
    const report = ({ path, pid }: DataDirectoryInUse) =>
      Effect.sync(() => {
        if (!isReported) {
          const who = pid === null ? "another process" : `process ${pid}`
          process.stderr.write(`Waiting for ${who} to release the data directory ${path}.\n`)
        }
        isReported = true
      })
    return hold(directory).pipe(
      Effect.tapError((error) => isPassing(error) ? report(error) : Effect.void),
      Effect.retry({ ...RETRY, while: isPassing })
    )
  }))
