import { assert, describe, it } from "@effect/vitest"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import * as SecretBox from "@tributary/core/SecretBox"
import { Tokens } from "@tributary/core/Tokens"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Base64Url from "effect/encoding/Base64Url"
import { services } from "../support/services.ts"

const keyed = Layer.provideMerge(ApiKeys.layer, services)

/** The tokens of a server with these keys, each a number. */
const tokensOf = (...keys: ReadonlyArray<number>) =>
  Tokens.layer.pipe(
    Layer.provide(SecretBox.layer(keys.map((key) => Redacted.make(new Uint8Array(32).fill(key))))),
    Layer.fresh
  )

const newKey = Effect.gen(function*() {
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada" })
  return yield* (yield* ApiKeys).create(personal_workspace.workspace_id, { name: "K", scopes: ["api:read"] }, OPERATOR)
})

const issue = (key: { readonly key_id: string }) =>
  Effect.flatMap(Tokens, (tokens) => tokens.issue({ type: "api_key", id: key.key_id }, { expires_in: 3_600 }))

const isTaken = (token: string) => Effect.isSuccess(Effect.flatMap(Tokens, (tokens) => tokens.authenticate(token)!))

describe("a token", () => {
  it.effect("cannot be forged from the stored key if the server has encryption keys", () =>
    Effect.gen(function*() {
      const key = yield* newKey
      const bytes = (text: string) => new TextEncoder().encode(text)
      const stored = sha256(bytes(key.secret))
      const claims = { key_id: key.key_id, expires_at: 3_600_000, scopes: ["api:read"], filter: null }
      const payload = Base64Url.encode(JSON.stringify(claims))
      const signature = Base64Url.encode(hmac(sha256, stored, bytes(`tributary token 1\n${payload}`)))
      const forged = `tk_live_${payload}.${signature}`
      assert.isFalse(yield* Effect.provide(isTaken(forged), tokensOf(1)))
      assert.isTrue(yield* Effect.provide(isTaken(forged), tokensOf()))
    }).pipe(Effect.provide(keyed)))

  it.effect("is accepted by every server that has its signing key, in any position, and by no other", () =>
    Effect.gen(function*() {
      const { token } = yield* Effect.provide(issue(yield* newKey), tokensOf(1))
      assert.isTrue(yield* Effect.provide(isTaken(token), tokensOf(1)))
      assert.isTrue(yield* Effect.provide(isTaken(token), tokensOf(2, 1)))
      assert.isFalse(yield* Effect.provide(isTaken(token), tokensOf(2)))
      assert.isFalse(yield* Effect.provide(isTaken(token), tokensOf()))
    }).pipe(Effect.provide(keyed)))

  it.effect("that was issued while the clock was ahead lasts no longer than a token", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2027, 0, 1))
      const { token } = yield* issue(yield* newKey)
      yield* TestClock.adjust("-1 hour")
      assert.isTrue(yield* isTaken(token))
      yield* TestClock.adjust("-1 day")
      assert.isFalse(yield* isTaken(token))
    }).pipe(Effect.provide(Layer.provideMerge(tokensOf(), keyed))))

  it.effect("counts as use of its key: in its last use, at most a minute late, and in its requests", () =>
    Effect.gen(function*() {
      const { personal_workspace: { workspace_id } } = yield* (yield* Workspaces).createAccount({ name: "Ada" })
      const keys = yield* ApiKeys
      const key = yield* keys.create(workspace_id, { name: "K", scopes: ["api:read"] }, OPERATOR)
      const { token } = yield* issue(key)
      const lastUse = Effect.map(keys.list(workspace_id), ([{ last_used_at } = key]) => last_used_at?.getTime())
      for (const [wait, noted] of [[300_000, 300_000], [60_000, 300_000], [1, 360_001]] as const) {
        yield* TestClock.adjust(wait)
        assert.isTrue(yield* isTaken(token))
        assert.strictEqual(yield* lastUse, noted)
      }
      yield* TestClock.adjust("1 minute")
      const [traffic] = yield* keys.traffic(workspace_id)
      assert.deepInclude(traffic, { key_id: key.key_id, requests: 3 })
    }).pipe(Effect.provide(Layer.provideMerge(tokensOf(), keyed))))
})
