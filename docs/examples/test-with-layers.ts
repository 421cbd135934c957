/** The same for a host that uses Effect: the services, memory for storage, and `TestClock`. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import assert from "node:assert/strict"
import { test } from "node:test"

const service = Tributary.layer.pipe(
  Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)),
  Layer.provideMerge(TestClock.layer())
)

const program = Effect.gen(function*() {
  const keys = yield* ApiKeys
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Acme" })
  const expires_at = new Date(60_000)
  const { secret } = yield* keys.create(personal_workspace.workspace_id, {
    name: "CI",
    scopes: ["api:read"],
    expires_at
  }, OPERATOR)

  yield* keys.authenticate(secret)
  yield* TestClock.adjust("1 minute")
  const refused = yield* Effect.flip(keys.authenticate(secret))
  assert.equal(refused._tag, "authentication_error")
})

test("a key is refused once it has expired", () => Effect.runPromise(Effect.provide(program, service)))
