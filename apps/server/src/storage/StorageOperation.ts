/** An operation of a command on the storage itself, for the log of operators. */
import { OperatorLog } from "@tributary/core/OperatorLog"
import type { OperatorCaller } from "@tributary/core/model/Operator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The operator of commands on this machine. */
export const COMMAND_LINE: OperatorCaller = { operator_id: null, name: "command line", scopes: [] }

/** The name of the request on the control channel. */
export const RECORD = "record"

export const StorageOperation = Schema.Struct({
  /** The name of the command. */
  action: Schema.String,
  outcome: Schema.String,
  /** The arguments of the command. */
  request: Schema.Json,
  request_id: Schema.String
})
export type StorageOperation = typeof StorageOperation.Type

export const append = Effect.fnUntraced(function*(operation: StorageOperation) {
  const log = yield* OperatorLog
  yield* log.append(COMMAND_LINE, { ...operation, subject: {}, address: null })
})
