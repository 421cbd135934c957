// The credential that lets a host in without a key is good for its own instance, and for nothing else.
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Http from "@tributary/http/Http"
import * as Memory from "@tributary/memory/Memory"
import { Workspaces } from "@tributary/core/Workspaces"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { BASE_URL, Transport } from "../src/transport.ts"

const started = Effect.gen(function*() {
  const services = yield* Layer.build(
    Tributary.layer.pipe(Layer.provideMerge(Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)))
  )
  return yield* Effect.gen(function*() {
    const { personal_workspace: { workspace_id } } = yield* (yield* Workspaces).createAccount({ name: "Host" })
    const transport = Layer.build(Layer.fresh(Transport.layer(Effect.never)))
    const { app, credentialFor, operatorToken } = yield* Effect.provide(Transport, yield* transport)
    const { app: sibling } = yield* Effect.provide(Transport, yield* transport)
    const published = yield* Http.app({ baseUrl: BASE_URL, adminToken: Option.none() })
    return { app, sibling, published, operatorToken, credential: credentialFor(workspace_id), workspace_id }
  }).pipe(Effect.provide(services))
})

type App = Effect.Success<typeof started>["app"]

const statusOf = (app: App, path: string, credential: string) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${credential}` }
    const { status } = await HttpEffect.toWebHandler(app)(new Request(`${BASE_URL}${path}`, { headers }))
    return status
  })

describe("The host's own credential", () => {
  it.live("opens every workspace of its instance", () =>
    Effect.gen(function*() {
      const { app, credential, operatorToken } = yield* started
      assert.strictEqual(yield* statusOf(app, "/v1/usage/current", credential), 200)
      assert.strictEqual(yield* statusOf(app, "/v1/custom-connectors", credential), 200)
      assert.strictEqual(yield* statusOf(app, "/admin/v1/workspaces", operatorToken), 200)
    }))

  it.live("is refused by a server on the same store, and by another instance", () =>
    Effect.gen(function*() {
      const { credential, operatorToken, published, sibling } = yield* started
      for (const app of [published, sibling]) {
        assert.strictEqual(yield* statusOf(app, "/v1/usage/current", credential), 401)
      }
      assert.strictEqual(yield* statusOf(sibling, "/admin/v1/workspaces", operatorToken), 401)
      assert.strictEqual(yield* statusOf(published, "/admin/v1/workspaces", operatorToken), 404)
    }))

  it.live("cannot be guessed from a workspace's id, nor from a part of it", () =>
    Effect.gen(function*() {
      const { app, credential, workspace_id } = yield* started
      const [token] = credential.split(".")
      const guesses = [
        workspace_id,
        `.${workspace_id}`,
        token!,
        `${token}.`,
        `${token}${workspace_id}`,
        credential.slice(1)
      ]
      guesses.push(`${"0".repeat(token!.length)}.${workspace_id}`, `${token}.${crypto.randomUUID()}`)
      for (const guess of guesses) {
        assert.strictEqual(yield* statusOf(app, "/v1/usage/current", guess), 401, guess)
      }
    }))
})
