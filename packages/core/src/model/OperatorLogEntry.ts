/** The log of operators' actions. Each entry contains the hash of the previous one, so that changes are detected. */
import { Schema } from "effect"
import { OperatorId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

/** The content of an entry, without the chain. */
export const OperatorAct = Schema.Struct({
  at: Timestamp,
  operator: Schema.Struct({
    /** Null for the token in the server's settings. */
    operator_id: Schema.NullOr(OperatorId),
    name: Schema.String
  }),
  /** The name of the operation, such as `deleteAccount`. */
  action: Schema.String,
  /** `begun` is written before the operation; `done` or the error code afterwards. */
  outcome: Schema.String,
  /** The ids of what it changed or created, by name. */
  subject: Schema.Record(Schema.String, Schema.String),
  /** The request body; null without one, and in the entry of the outcome. */
  request: Schema.Json,
  request_id: Schema.String,
  /** The network address of the request, if there was one. */
  address: Schema.NullOr(Schema.String)
})
export type OperatorAct = typeof OperatorAct.Type

export const OperatorLogEntry = Schema.Struct({
  /** From 1, without gaps. */
  sequence: Schema.Int,
  ...OperatorAct.fields,
  /** The `hash` of the previous entry; 64 zeros in the first. */
  previous_hash: Schema.String,
  /**
   * SHA-256 of this entry's canonical JSON without `hash`: no white space, names of every object in ascending order.
   */
  hash: Schema.String
}).annotate({ identifier: "OperatorLogEntry" })
export type OperatorLogEntry = typeof OperatorLogEntry.Type
