/** The caller: a user, or a key. */
import { Schema } from "effect"

export const Principal = Schema.Struct({
  /** A user or a key. */
  type: Schema.Literals(["user", "api_key"]),
  /** The id of the user or the key; `operator` for the operator of the service. */
  id: Schema.String
})
export type Principal = typeof Principal.Type

/** The operator of the service: the operator API, the command line, and a host's own code. */
export const OPERATOR: Principal = { type: "user", id: "operator" }
