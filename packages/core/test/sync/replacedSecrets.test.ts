/** Secrets that a source replaces while its connection is used. */
import { assert, describe, it } from "@effect/vitest"
import { CredentialsRefused, ReplaceSecret } from "@tributary/core/ports/Provider"
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import { OPERATOR } from "../../src/model/Principal.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import { openSecrets } from "../../src/sync/connectionConfig.ts"
import { replaceSecret } from "../../src/sync/replaceSecret.ts"
import { connected, key, service } from "../support/connecting.ts"
import { fill, type TinyConfig, type TinySource, tinySource } from "../support/tinySource.ts"

/** A source that takes a password once, and returns the next one. */
const rotating = (): TinySource => {
  const source = tinySource()
  fill(source, 3)
  const { provider } = source
  const admitted = ({ password }: TinyConfig) =>
    Effect.flatMap(ReplaceSecret, (replace) =>
      replace("password", password, (present) =>
        Effect.suspend(() => {
          if (Redacted.value(present) !== source.password) {
            return Effect.fail(new CredentialsRefused({ message: "The server refused the password." }))
          }
          source.password += "!"
          const next = Redacted.make(source.password)
          return Effect.succeed([next, next])
        })))
  return Object.assign(source, {
    provider: {
      ...provider,
      resources: (config: TinyConfig) =>
        Effect.flatMap(admitted(config), (password) => provider.resources({ ...config, password })),
      resourcesVary: () => true,
      sync: (request: Parameters<typeof provider.sync>[0]) =>
        Stream.unwrap(
          Effect.map(admitted(request.config), (password) =>
            provider.sync({ ...request, config: { ...request.config, password } }))
        )
    }
  })
}

const served = (source: TinySource) => Layer.merge(service(source), SecretBox.layer([key(1)]))

const storedPassword = Effect.fnUntraced(function*({ id, workspaceId }: Effect.Success<ReturnType<typeof connected>>) {
  const record = Option.getOrThrow(yield* (yield* ConnectionStore).find(workspaceId, id))
  return (yield* openSecrets(yield* SecretBox.SecretBox, workspaceId, record))["password"]
})

describe("a secret that its source replaces", () => {
  it.effect("is stored when the connection is made, and by each of its syncs", () => {
    const source = rotating()
    return Effect.gen(function*() {
      const connection = yield* connected()
      assert.strictEqual(yield* storedPassword(connection), source.password)
      for (let count = 0; count < 3; count++) {
        const before = source.password
        assert.deepInclude(yield* connection.sync, { status: "completed", error: null })
        assert.notStrictEqual(source.password, before)
        assert.strictEqual(yield* storedPassword(connection), source.password)
      }
      const { config } = yield* connection.connections.find(connection.workspaceId, connection.id)
      assert.deepStrictEqual(config, { host: "notes.example" })
    }).pipe(Effect.provide(served(source)))
  })

  it.effect("is used in its latest form, and again if another server has replaced it meanwhile", () => {
    const source = rotating()
    return Effect.gen(function*() {
      const { id, sync, workspaceId } = yield* connected()
      yield* sync
      const replace = yield* replaceSecret(workspaceId, id)
      const known = Redacted.make("of long ago")
      const used: Array<string> = []
      const result = yield* replace("password", known, (present) =>
        Effect.gen(function*() {
          used.push(Redacted.value(present))
          if (used.length === 1) {
            yield* replace("password", known, () => Effect.succeed([null, Redacted.make("of the other server")]))
            return yield* new CredentialsRefused({ message: "It was used before." })
          }
          return ["got in", present] as const
        }))
      assert.strictEqual(result, "got in")
      assert.deepStrictEqual(used, [source.password, "of the other server"])
    }).pipe(Effect.provide(served(source)))
  })

  it.effect("does not replace one that somebody has given meanwhile", () => {
    const source = rotating()
    return Effect.gen(function*() {
      const connection = yield* connected()
      const { connections, id, workspace, workspaceId } = connection
      yield* connection.sync
      const replace = yield* replaceSecret(workspaceId, id)
      yield* replace("password", Redacted.make(""), () => {
        const config = { host: "notes.example", depth: 1, password: source.password }
        return connections.update(workspace, id, { config }, OPERATOR).pipe(
          Effect.as([null, Redacted.make("of the previous configuration")] as const),
          Effect.orDie
        )
      })
      assert.strictEqual(yield* storedPassword(connection), source.password)
    }).pipe(Effect.provide(served(source)))
  })
})
