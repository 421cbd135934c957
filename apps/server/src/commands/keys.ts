/** `tributary keys`: creating, listing and revoking API keys. */
import { Scope } from "@tributary/core/model/Scope"
import * as Effect from "effect/Effect"
import type { Arguments } from "../cli/Command.ts"
import { operatorClient } from "../transport/clients.ts"
import { expiryOf, scopesOf } from "./optionValues.ts"
import { columns, issued, moment } from "../cli/printing.ts"

const DEFAULT_SCOPES: ReadonlyArray<Scope> = ["api:read", "api:write"]

export const create = Effect.fnUntraced(function*(args: Arguments) {
  const [name = ""] = args.positionals
  const wanted = { name, scopes: yield* scopesOf(args, Scope, DEFAULT_SCOPES), ...yield* expiryOf(args) }
  const { ask, choose, client } = yield* operatorClient(args)
  const workspaceId = yield* choose
  const key = yield* ask(() => client.keys.create(workspaceId, wanted))
  return { json: key, text: issued(key.secret, `Key ${key.key_id}`, key) }
}, Effect.scoped)

export const list = Effect.fnUntraced(function*(args: Arguments) {
  const { ask, choose, client } = yield* operatorClient(args)
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
  return {
    json: { api_keys },
    text: columns([["KEY", "ENDS WITH", "STATE", "LAST USED", "NAME", "SCOPES"], ...rows])
  }
}, Effect.scoped)

export const rewrap = Effect.fnUntraced(function*(args: Arguments) {
  const { ask, client } = yield* operatorClient(args)
  const counts = yield* ask(() => client.secrets.rewrap())
  const { current, rewrapped, unreadable } = counts
  const done = `${rewrapped} encrypted with the first key, ${current} were already.`
  if (unreadable === 0) {
    return { json: counts, text: `${done} When every server has it in front, the other keys can go.` }
  }
  const failure = `${unreadable} can be read with none of the keys: keep the others, and look for theirs.`
  return { json: counts, text: done, failure }
}, Effect.scoped)

export const revoke = Effect.fnUntraced(function*(args: Arguments) {
  const [keyId = ""] = args.positionals
  const { ask, client } = yield* operatorClient(args)
  const revoked = yield* ask(() => client.keys.revoke(keyId))
  return { json: revoked, text: `Key ${revoked.key_id} is revoked.` }
}, Effect.scoped)
