/** What operators of the service did. Each entry names the hash of the one before, so that none is changed unnoticed. */
import { Schema } from "effect"
import { OperatorId } from "./Id.ts"
import { Timestamp } from "./Timestamp.ts"

/** What an entry says by itself. */
export const OperatorAct = Schema.Struct({
  at: Timestamp,
  operator: Schema.Struct({
    /** Null for the one whom the server's settings let in. */
    operator_id: Schema.NullOr(OperatorId),
    name: Schema.String
  }),
  /** The name of the operation, such as `deleteAccount`. */
  action: Schema.String,
  /** `begun` is written before it is carried out; `done` or the code of the failure afterwards. */
  outcome: Schema.String,
  /** What it was done to, or what it made: ids by their names. */
  subject: Schema.Record(Schema.String, Schema.String),
  /** What was asked for, as it was sent; null without a body, and in the entry of the outcome. */
  request: Schema.Json,
  request_id: Schema.String,
  /** The network address of the request, where there was one. */
  address: Schema.NullOr(Schema.String)
})
export type OperatorAct = typeof OperatorAct.Type

export const OperatorLogEntry = Schema.Struct({
  /** Counts from 1 without gaps. */
  sequence: Schema.Int,
  ...OperatorAct.fields,
  /** The `hash` of the entry before; 64 zeros in the first. */
  previous_hash: Schema.String,
  /** SHA-256 of this entry's canonical JSON without `hash`: no blanks, the names of every object in ascending order. */
  hash: Schema.String
}).annotate({ identifier: "OperatorLogEntry" })
export type OperatorLogEntry = typeof OperatorLogEntry.Type
