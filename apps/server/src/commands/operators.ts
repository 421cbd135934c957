/** `tributary operators`: creating, listing and revoking operators with their own tokens. */
import { OperatorScope } from "@tributary/core/model/Operator"
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { operatorClient } from "../transport/clients.ts"
import { expiryOf, scopesOf } from "./optionValues.ts"
import { columns, issued, moment } from "../cli/printing.ts"

const DEFAULT_SCOPES: ReadonlyArray<OperatorScope> = ["operator:read", "operator:write"]

export const create = Effect.fnUntraced(function*(args: Arguments) {
  const [name = ""] = args.positionals
  const wanted = { name, scopes: yield* scopesOf(args, OperatorScope, DEFAULT_SCOPES), ...yield* expiryOf(args) }
  const { ask, client } = yield* operatorClient(args)
  const made = yield* ask(() => client.operators.create(wanted))
  return { json: made, text: issued(made.token, `Operator ${made.operator_id}`, made) }
}, Effect.scoped)

export const list = Effect.fnUntraced(function*(args: Arguments) {
  const { ask, client } = yield* operatorClient(args)
  const operators = yield* ask(() => client.operators.list())
  const rows = operators.map(({ created_at, expires_at, hint, name, operator_id, scopes }) => [
    operator_id,
    `...${hint}`,
    moment(created_at),
    expires_at === null ? "never" : moment(expires_at),
    name,
    scopes.join(",")
  ])
  return {
    json: { operators },
    text: columns([["OPERATOR", "ENDS WITH", "CREATED", "EXPIRES", "NAME", "SCOPES"], ...rows])
  }
}, Effect.scoped)

export const revoke = Effect.fnUntraced(function*(args: Arguments) {
  const [operatorId = ""] = args.positionals
  const { ask, client } = yield* operatorClient(args)
  const revoked = yield* ask(() => client.operators.revoke(operatorId))
  return { json: revoked, text: `Operator ${revoked.operator_id} is revoked.` }
}, Effect.scoped)
