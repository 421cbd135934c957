/** Operators of the service: each has a token with scopes and an expiry. */
import { Schema } from "effect"
import { OperatorId } from "./Id.ts"
import { Name } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"

/** `operator:admin` only creates and revokes operators. No scope implies another. */
export const OperatorScope = Schema.Literals(["operator:read", "operator:write", "operator:admin"])
export type OperatorScope = typeof OperatorScope.Type

export const Operator = Schema.Struct({
  operator_id: OperatorId,
  /** A name for people. */
  name: Schema.String,
  /** The last four characters of the token. */
  hint: Schema.String,
  /** What the operator may do. */
  scopes: Schema.Array(OperatorScope),
  /** When it was made. */
  created_at: Timestamp,
  /** From when on the token is refused. Null: it does not expire. */
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Operator" })
export type Operator = typeof Operator.Type

/** An operator with its token, which is shown once, at creation. */
export const IssuedOperator = Schema.Struct({
  ...Operator.fields,
  /** The token itself. Shown here once. */
  token: Schema.String
}).annotate({
  identifier: "IssuedOperator"
})
export type IssuedOperator = typeof IssuedOperator.Type

export const NewOperator = Schema.Struct({
  /** A name for people. */
  name: Name,
  /** What the operator may do. */
  scopes: Schema.Array(OperatorScope).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  /** From when on the token is refused. Null or left out: it does not expire. */
  expires_at: Schema.optionalKey(Schema.NullOr(ClientTimestamp))
})
export type NewOperator = typeof NewOperator.Type

/** The caller of the operator API. The id is null for the token in the server's settings. */
export interface OperatorCaller {
  readonly operator_id: OperatorId | null
  readonly name: string
  readonly scopes: ReadonlyArray<OperatorScope>
}
