/**
 * Records operations of commands on the storage itself in the log of operators: through the server that holds the data
 * directory, or else in the store.
 */
import { OperatorLog } from "@tributary/core/OperatorLog"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { errorMessage } from "@tributary/node/errors"
import * as ControlChannel from "@tributary/node/ControlChannel"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import { append, RECORD, type StorageOperation } from "./StorageOperation.ts"
import * as Storage from "./Storage.ts"

/** An empty store gets no entry, because an import would then refuse to fill it. */
const appendUnlessEmpty = Effect.fnUntraced(function*(operation: StorageOperation) {
  const workspaces = yield* (yield* WorkspaceStore).list({ accountId: null, after: null, limit: 1 })
  const entries = yield* (yield* OperatorLog).list({ cursor: null, limit: 1 }, 0)
  if (workspaces.length + entries.items.length > 0) yield* append(operation)
})

const inStore = (storage: Storage.DurableStorage) => Layer.provideMerge(OperatorLog.layer, Storage.layer(storage))

const write = (storage: Storage.DurableStorage, operation: StorageOperation) => {
  const alone = Effect.provide(appendUnlessEmpty(operation), inStore(storage))
  return storage.kind === "postgres"
    ? alone
    : ControlChannel.request(storage.directory, RECORD, operation).pipe(Effect.catchTag("NoServer", () => alone))
}

/** A copy of a damaged or full storage must still be possible, so a missing entry is only reported. */
const orWarn = ({ action, outcome }: StorageOperation) => <E>(cause: Cause.Cause<E>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Console.error(
      `The log of operators has no entry "${action} ${outcome}": ${errorMessage(Cause.squash(cause)).split("\n", 1)[0]}`
    )

const writeOrWarn = (storage: Storage.DurableStorage, operation: StorageOperation) =>
  Effect.catchCause(write(storage, operation), orWarn(operation))

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => Exit.isSuccess(exit) ? "done" : "failed"

/**
 * An entry before an operation that reads the store, and one with its outcome. Tables of an earlier release get none,
 * because the store would be migrated for it.
 */
export const recording =
  (storage: Storage.DurableStorage, action: string, request: Schema.Json) => <A, E, R>(act: Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const entry = { action, request_id: crypto.randomUUID() }
      const begun = { ...entry, outcome: "begun", request }
      const writing = yield* Effect.exit(Effect.andThen(Storage.requireCurrent(storage), write(storage, begun)))
      if (Exit.isFailure(writing)) {
        // What cannot be opened fails for the same reason, which is then reported once.
        return yield* Effect.tap(act, orWarn(begun)(writing.cause))
      }
      const exit = yield* Effect.exit(act)
      yield* writeOrWarn(storage, { ...entry, outcome: outcomeOf(exit), request: null })
      return yield* exit
    })

/** One entry after an operation that fills or changes the store. */
export const recorded = (storage: Storage.DurableStorage, action: string, request: Schema.Json) =>
  writeOrWarn(storage, { action, outcome: "done", request, request_id: crypto.randomUUID() })
