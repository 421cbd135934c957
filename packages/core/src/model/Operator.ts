/** Operators of the service: each has a token with scopes and an expiry. */
import { Schema } from "effect"
import { OperatorId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Name } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"

/** `operator:admin` only creates and revokes operators. No scope implies another. */
export const OperatorScope = Schema.Literals(["operator:read", "operator:write", "operator:admin"])
export type OperatorScope = typeof OperatorScope.Type

export const Operator = Schema.Struct({
  operator_id: OperatorId,
  /** The display name. */
  name: Schema.String,
  /** The last four characters of the token. */
  hint: Schema.String,
  /** The scopes of the operator. */
  scopes: Schema.Array(OperatorScope),
  /** When it was created. */
  created_at: Timestamp,
  /** When the token expires. Null: never. */
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Operator" })
export type Operator = typeof Operator.Type

/** What the token of the host has to be: a header has only visible ASCII, and a comma separates two credentials. */
export const HOST_TOKEN = {
  mustBe: "at least 24 characters long, of visible ASCII without commas",
  pattern: /^[\x21-\x2b\x2d-\x7e]{24,}$/
}

/** An operator with its token, which is shown once, at creation. */
export const IssuedOperator = Schema.Struct({
  ...Operator.fields,
  /** The token itself, shown only here. */
  token: Schema.String
}).annotate({
  identifier: "IssuedOperator"
})
export type IssuedOperator = typeof IssuedOperator.Type

export const NewOperator = Schema.Struct({
  /** The display name. */
  name: Name,
  /** The scopes of the operator. */
  scopes: Schema.Array(OperatorScope).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  /** When the token expires. Null or absent: never. */
  expires_at: optional(ClientTimestamp)
})
export type NewOperator = typeof NewOperator.Type

/** The caller of the operator API. The id is null for the token in the server's settings. */
export interface OperatorCaller {
  readonly operator_id: OperatorId | null
  readonly name: string
  readonly scopes: ReadonlyArray<OperatorScope>
}
