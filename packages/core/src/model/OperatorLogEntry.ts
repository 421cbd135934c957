/** The log of operators' actions. Each entry contains the hash of the previous one, so that changes are detected. */
import { Schema } from "effect"
import { OperatorId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

/** The content of an entry, without the chain. */
export const OperatorAct = Schema.Struct({
  /** When it was written. */
  at: Timestamp,
  /** Who called. */
  operator: Schema.Struct({
    /** The operator's id. Null for the one whom the server's settings let in. */
    operator_id: Schema.NullOr(OperatorId),
    /** A name for people. */
    name: Schema.String
  }),
  /** The name of the operation. */
  action: Schema.String,
  /** `begun` before it is carried out; `done` or the code of the failure afterwards. */
  outcome: Schema.String,
  /** What it was done to, or what it made: ids by their names. */
  subject: Schema.Record(Schema.String, Schema.String),
  /** The body that was sent. Null without one, and in the entry of the outcome. */
  request: Schema.Json,
  /** The `X-Request-Id` of the call. */
  request_id: Schema.String,
  /** The network address that the call came from. Null where there was none. */
  address: Schema.NullOr(Schema.String)
})
export type OperatorAct = typeof OperatorAct.Type

export const OperatorLogEntry = Schema.Struct({
  /** Counts from 1 without gaps. */
  sequence: Schema.Int,
  ...OperatorAct.fields,
  /** The `hash` of the entry before; 64 zeros in the first. */
  previous_hash: Schema.String,
  /** SHA-256 of this entry as JSON without `hash`, without blanks, with the names of each object in ascending order. */
  hash: Schema.String
}).annotate({ identifier: "OperatorLogEntry" })
export type OperatorLogEntry = typeof OperatorLogEntry.Type
