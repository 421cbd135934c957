/** `tributary keys`: creating, listing and revoking API keys. */
import { Scope } from "@tributary/core/model/Scope"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Given, Report } from "../command/Command.ts"
import { calledWrongly } from "../transport/failures.ts"
import { operator } from "../transport/connect.ts"
import { columns, moment } from "./printing.ts"

const isScope = Schema.is(Scope)

const DEFAULT_SCOPES: ReadonlyArray<Scope> = ["api:read", "api:write"]

const scopesOf = Effect.fnUntraced(function*(given: Given) {
  const scopes = given.values("scope").flatMap((value) => value.split(","))
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) {
    return yield* calledWrongly(`There is no scope "${unknown}". There are: ${Scope.literals.join(", ")}.`)
  }
  return scopes.length === 0 ? DEFAULT_SCOPES : scopes.filter(isScope)
})

const expiryOf = Effect.fnUntraced(function*(given: Given) {
  const text = given.value("expires")
  if (text === undefined) return {}
  const expires_at = new Date(text)
  if (Number.isNaN(expires_at.getTime())) return yield* calledWrongly(`--expires: "${text}" is no time.`)
  return { expires_at }
})

export const create = Effect.fnUntraced(function*(given: Given) {
  const [name = ""] = given.words
  const wanted = { name, scopes: yield* scopesOf(given), ...yield* expiryOf(given) }
  const { ask, choose, client } = yield* operator(given)
  const workspaceId = yield* choose
  const key = yield* ask(() => client.keys.create(workspaceId, wanted))
  const report: Report = {
    json: key,
    text: [
      key.secret,
      "",
      `Shown this once. Key ${key.key_id}, scopes ${key.scopes.join(", ")}${
        key.expires_at === null ? "" : `, until ${moment(key.expires_at)}`
      }.`
    ].join("\n")
  }
  return report
}, Effect.scoped)

export const list = Effect.fnUntraced(function*(given: Given) {
  const { ask, choose, client } = yield* operator(given)
  const workspaceId = yield* choose
  const api_keys = yield* ask(() => client.keys.list(workspaceId))
  const rows = api_keys.map(({ expires_at, hint, key_id, last_used_at, name, revoked_at, scopes }) => [
    key_id,
    `...${hint}`,
    revoked_at !== null ? "revoked" : expires_at !== null && expires_at <= new Date() ? "expired" : "valid",
    moment(last_used_at),
    name,
    scopes.join(",")
  ])
  const report: Report = {
    json: { api_keys },
    text: columns([["KEY", "ENDS WITH", "STATE", "LAST USED", "NAME", "SCOPES"], ...rows])
  }
  return report
}, Effect.scoped)

export const revoke = Effect.fnUntraced(function*(given: Given) {
  const [keyId = ""] = given.words
  const { ask, client } = yield* operator(given)
  const revoked = yield* ask(() => client.keys.revoke(keyId))
  const report: Report = { json: revoked, text: `Key ${revoked.key_id} is revoked.` }
  return report
}, Effect.scoped)
