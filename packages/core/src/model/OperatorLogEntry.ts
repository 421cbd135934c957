/** The log of operators' actions. Each entry contains the hash of the previous one, so that changes are detected. */
import { Schema } from "effect"
import { OperatorId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

/** The content of an entry, without the chain. */
export const OperatorAct = Schema.Struct({
  /** When the entry was written. */
  at: Timestamp,
  /** The caller. */
  operator: Schema.Struct({
    /** The operator's id. Null for the token in the settings of the server. */
    operator_id: Schema.NullOr(OperatorId),
    /** The display name. */
    name: Schema.String
  }),
  /** The name of the operation. */
  action: Schema.String,
  /** `begun` before the operation; `done` or the error code afterwards. */
  outcome: Schema.String,
  /** The ids of what it changed or created, by name. */
  subject: Schema.Record(Schema.String, Schema.String),
  /** The request body. Null without one, and in the entry of the outcome. */
  request: Schema.Json,
  /** The `X-Request-Id` of the request. */
  request_id: Schema.String,
  /** The network address of the request. Null: there was none. */
  address: Schema.NullOr(Schema.String)
})
export type OperatorAct = typeof OperatorAct.Type

export const OperatorLogEntry = Schema.Struct({
  /** Counts from 1 without gaps. */
  sequence: Schema.Int,
  ...OperatorAct.fields,
  /** The `hash` of the previous entry; 64 zeros in the first. */
  previous_hash: Schema.String,
  /**
   * SHA-256 of this entry as JSON without `hash` and without white space, with the names of every object in ascending
   * order.
   */
  hash: Schema.String
}).annotate({ identifier: "OperatorLogEntry" })
export type OperatorLogEntry = typeof OperatorLogEntry.Type
