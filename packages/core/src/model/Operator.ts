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
  name: Schema.String,
  /** The last four characters of the token. */
  hint: Schema.String,
  scopes: Schema.Array(OperatorScope),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Operator" })
export type Operator = typeof Operator.Type

/** An operator with its token, which is shown once, at creation. */
export const IssuedOperator = Schema.Struct({ ...Operator.fields, token: Schema.String }).annotate({
  identifier: "IssuedOperator"
})
export type IssuedOperator = typeof IssuedOperator.Type

export const NewOperator = Schema.Struct({
  name: Name,
  scopes: Schema.Array(OperatorScope).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  expires_at: Schema.optionalKey(Schema.NullOr(ClientTimestamp))
})
export type NewOperator = typeof NewOperator.Type

/** The caller of the operator API. The id is null for the token in the server's settings. */
export interface OperatorCaller {
  readonly operator_id: OperatorId | null
  readonly name: string
  readonly scopes: ReadonlyArray<OperatorScope>
}
