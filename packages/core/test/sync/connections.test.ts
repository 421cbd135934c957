/** Connections: their secrets, and who may see and touch them. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { Connections } from "../../src/sync/Connections.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { CurrentTokenFilter } from "../../src/people/CurrentTokenFilter.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import { connect, connected, key, newWorkspace, node, service, settle, until } from "../support/connecting.ts"
import { fill, PASSWORD, tinySource } from "../support/tinySource.ts"

const recorded = () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return { lines, layer: Logger.layer([logger]) }
}

describe("secrets", () => {
  it.effect("appear in no answer, row, log line or error", () => {
    const source = tinySource()
    fill(source, 3)
    const log = recorded()
    return Effect.gen(function*() {
      const { connections, id, state, sync, workspace, workspaceId } = yield* connected()
      source.faults.set("00001", Effect.die(new Error("a bug")))
      yield* sync
      source.faults.clear()
      const store = yield* ConnectionStore
      const wrong = { host: "", password: `${PASSWORD}!` }
      const refused = yield* Effect.flip(
        connections.create(workspace, { provider: "tiny", name: "N", config: wrong }, OPERATOR)
      )
      const rejected = yield* Effect.flip(
        connections.update(workspace, id, { config: { ...wrong, host: "h" } }, OPERATOR)
      )
      const emitted = JSON.stringify([
        yield* connections.list(workspaceId),
        yield* connections.find(workspaceId, id),
        yield* connections.update(workspace, id, { name: "Other" }, OPERATOR),
        yield* state(),
        yield* store.find(workspaceId, id),
        refused.message,
        rejected.message
      ])
      assert.isAbove(log.lines.length, 0)
      for (const text of [emitted, ...log.lines]) assert.notInclude(text, PASSWORD)
      assert.deepStrictEqual((yield* connections.find(workspaceId, id)).config, { host: "notes.example" })
    }).pipe(Effect.provide(Layer.provideMerge(service(source), log.layer)))
  })

  it.effect("that are part of a text are encrypted with it, and its other part is shown", () => {
    const source = tinySource()
    const log = recorded()
    const page = "notes.example/private-quokka"
    const password = PASSWORD
    return Effect.gen(function*() {
      const store = yield* ConnectionStore
      const { connections, id, workspace, workspaceId } = yield* connected({}, {
        config: { host: "h", password, page }
      })
      const shown = { host: "h", page: "notes.example/…" }
      const wrong = { host: "", password, page }
      const refused = yield* Effect.flip(connections.update(workspace, id, { config: wrong }, OPERATOR))
      const kept = yield* connections.find(workspaceId, id)
      assert.deepStrictEqual(kept.config, shown)
      const emitted = JSON.stringify([
        kept,
        yield* connections.update(workspace, id, { config: shown }, OPERATOR),
        yield* store.find(workspaceId, id),
        refused.message
      ])
      for (const text of [emitted, ...log.lines]) assert.notInclude(text, "quokka")
      assert.deepStrictEqual(source.tried.map((config) => config.page), [page, page])
      const open = yield* connections.update(workspace, id, { config: { ...shown, page: "open", password } }, OPERATOR)
      assert.deepStrictEqual(open.config, { host: "h", page: "open" })
    }).pipe(Effect.provide(Layer.provideMerge(service(source), log.layer)))
  })

  it.effect("that are omitted are kept only if nothing else changes", () => {
    const source = tinySource()
    const page = "notes.example/private-7f3a"
    return Effect.gen(function*() {
      const before = { host: "h", password: PASSWORD, page }
      const { connections, id, workspace } = yield* connected({}, { config: before })
      const shown = { host: "h", page: "notes.example/…" }
      yield* connections.update(workspace, id, { config: shown }, OPERATOR)
      const changes = [
        { ...shown, host: "evil.example" },
        { ...shown, page: "notes.example/of-somebody-else" },
        { ...shown, depth: 1 },
        { host: "h" }
      ]
      for (const config of changes) {
        assert.strictEqual(
          (yield* Effect.flip(connections.update(workspace, id, { config }, OPERATOR)))._tag,
          "InvalidConfig"
        )
      }
      const { config } = yield* connections.update(
        workspace,
        id,
        { config: { host: "h", password: PASSWORD } },
        OPERATOR
      )
      assert.deepStrictEqual(config, { host: "h" })
      assert.deepStrictEqual(source.tried.map((config) => config.page), [page, page, undefined])
    }).pipe(Effect.provide(service(source)))
  })

  it.effect("are encrypted again with the first key when they are next used, after which the old key may be removed", () => {
    const source = tinySource()
    return Effect.gen(function*() {
      const store = yield* ConnectionStore
      /** One server after another, each with its keys. */
      const served = <A, E, R>(keys: ReadonlyArray<ReturnType<typeof key>>, task: Effect.Effect<A, E, R>) =>
        Effect.scoped(Effect.flatMap(Layer.build(node(source, [...keys])), (context) => Effect.provide(task, context)))
      const { id, workspaceId } = yield* served([key(1)], connected())
      const sealed = Effect.map(store.find(workspaceId, id), (found) => Option.getOrThrow(found).secrets)
      const sync = Effect.gen(function*() {
        const syncs = yield* Syncs
        yield* syncs.start(workspaceId, id)
        yield* until(Effect.map(syncs.states(workspaceId, id), ([state]) => !state!.status.endsWith("ing")))
        return (yield* syncs.states(workspaceId, id))[0]!
      })
      const first = yield* sealed
      assert.strictEqual((yield* served([key(2), key(1)], sync)).status, "completed")
      assert.notStrictEqual(yield* sealed, first)
      assert.strictEqual((yield* served([key(2)], sync)).status, "completed")
      const lost = yield* served([key(3)], sync)
      assert.deepInclude(lost, { status: "failed" })
      assert.include(lost.error, "TRIBUTARY_ENCRYPTION_KEYS")
    }).pipe(Effect.provide(Layer.fresh(Memory.layer)))
  })
})

describe("Secrets of all connections", () => {
  it.effect("are encrypted with the first key at once, except for those that no key decrypts", () => {
    const source = tinySource()
    return Effect.gen(function*() {
      const store = yield* ConnectionStore
      const served = <A, E, R>(keys: ReadonlyArray<ReturnType<typeof key>>, task: Effect.Effect<A, E, R>) =>
        Effect.scoped(Effect.flatMap(Layer.build(node(source, [...keys])), (context) => Effect.provide(task, context)))
      const rewrap = Effect.flatMap(Connections, ({ rewrap }) => rewrap)
      const places = [
        yield* served([key(1)], connected()),
        yield* served([key(1)], connected()),
        yield* served([key(2)], connected())
      ]
      const lost = yield* served([key(4)], connected())
      const sealed = ({ id, workspaceId }: typeof lost) =>
        Effect.map(store.find(workspaceId, id), (found) => Option.getOrThrow(found).secrets!)
      const before = yield* sealed(lost)

      const counts = yield* served([key(2), key(1)], rewrap)
      assert.deepStrictEqual(counts, { rewrapped: 2, current: 1, unreadable: 1 })
      assert.strictEqual(yield* sealed(lost), before)
      const [, keyId] = (yield* sealed(places[2]!)).split(".")
      for (const place of places) assert.strictEqual((yield* sealed(place)).split(".")[1], keyId)
      const again = yield* served([key(2)], rewrap)
      assert.deepStrictEqual(again, { rewrapped: 0, current: 3, unreadable: 1 })
    }).pipe(Effect.provide(Layer.fresh(Memory.layer)))
  })
})

describe("the secret box", () => {
  const text = Redacted.make("a secret 😀")
  const seal = (keys: ReadonlyArray<ReturnType<typeof key>>, place = "here") =>
    Effect.provide(Effect.flatMap(SecretBox.SecretBox, (box) => box.seal(text, place)), SecretBox.layer(keys))
  const unseal = (sealed: string, keys: ReadonlyArray<ReturnType<typeof key>>, place = "here") =>
    Effect.provide(Effect.flatMap(SecretBox.SecretBox, (box) => box.open(sealed, place)), SecretBox.layer(keys))

  it.effect.each([{ count: 0 }, { count: 1 }])(
    "with $count other keys, warns once of one that is missing",
    ({ count }) => {
      const log = recorded()
      const keys = [key(3)].slice(0, count)
      return Effect.gen(function*() {
        const box = yield* SecretBox.SecretBox
        const lost = [yield* seal([key(1)]), yield* seal([key(1)]), yield* seal([key(2)])]
        for (const sealed of lost) yield* Effect.flip(box.open(sealed, "here"))
        const ids = [...new Set(lost.map((sealed) => sealed.split(".")[1]))]
        assert.deepStrictEqual(log.lines.map((line) => JSON.parse(line).annotations), ids.map((id) => ({ key: id })))
        for (const line of log.lines) assert.include(line, "encrypted with a key that is not configured")
      }).pipe(Effect.provide(Layer.provideMerge(SecretBox.layer(keys), log.layer)))
    }
  )

  it.effect("decrypts with every key, and reports secrets of older ones", () =>
    Effect.gen(function*() {
      const sealed = yield* seal([key(1)])
      assert.notInclude(sealed, "secret")
      for (const [keys, isStale] of [[[key(1)], false], [[key(1), key(2)], false], [[key(2), key(1)], true]] as const) {
        const opened = yield* unseal(sealed, keys)
        assert.deepStrictEqual([Redacted.value(opened.text), opened.isStale], ["a secret 😀", isStale])
      }
      assert.notStrictEqual(yield* seal([key(1)]), sealed)
    }))

  it.effect("decrypts nothing in another place, nothing changed, and nothing without its key", () =>
    Effect.gen(function*() {
      const sealed = yield* seal([key(1)])
      const last = sealed.endsWith("0") ? "1" : "0"
      const tries = [
        unseal(sealed, [key(1)], "there"),
        unseal(`${sealed.slice(0, -1)}${last}`, [key(1)]),
        unseal(sealed.replace(/^1/, "2"), [key(1)]),
        unseal(sealed, [key(2)]),
        unseal(sealed, []),
        unseal("", [key(1)]),
        unseal("1.x.y.z", [key(1)]),
        unseal(`${sealed.split(".").slice(0, 2).join(".")}.zz.zz`, [key(1)])
      ]
      for (const open of tries) assert.strictEqual((yield* Effect.flip(open))._tag, "Sealed")
      assert.strictEqual((yield* Effect.flip(seal([])))._tag, "Sealed")
    }))
})

it.effect("a server without keys accepts no secrets, and names the setting", () => {
  const source = tinySource()
  return Effect.gen(function*() {
    const workspace = yield* newWorkspace()
    const refused = yield* Effect.flip(connect(workspace))
    assert.strictEqual(refused._tag, "bad_request")
    assert.include(refused.message, "TRIBUTARY_ENCRYPTION_KEYS")
    assert.deepStrictEqual(yield* (yield* Connections).list(workspace.workspace_id), [])
  }).pipe(Effect.provide(Layer.provideMerge(node(source, []), Layer.fresh(Memory.layer))))
})

it.effect("a filter shows a connection, and nothing of its configuration or of what went wrong", () => {
  const source = tinySource()
  fill(source, 3)
  return Effect.gen(function*() {
    const { connections, sync, workspaceId } = yield* connected()
    yield* sync
    source.password = "another one altogether"
    yield* sync
    const [connection] = yield* connections.list(workspaceId)
    assert.deepInclude(connection, { status: "error", error: "The server refused the password." })
    assert.deepStrictEqual(
      yield* Effect.provideService(connections.list(workspaceId), CurrentTokenFilter, { sources: ["tiny"] }),
      [{ ...connection!, config: {}, resources: [], error: null }]
    )
  }).pipe(Effect.provide(service(source)))
})

it.effect("every operation on a connection of another workspace finds nothing", () => {
  const source = tinySource()
  fill(source, 3)
  return Effect.gen(function*() {
    const { connections, id, state, syncs, workspaceId } = yield* connected()
    yield* settle()
    const stranger = yield* newWorkspace()
    const before = [yield* connections.find(workspaceId, id), yield* state()]
    const tries: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
      connections.find(stranger.workspace_id, id),
      connections.update(stranger, id, { name: "stolen" }, OPERATOR),
      connections.update(stranger, id, { config: { host: "evil.example", password: PASSWORD } }, OPERATOR),
      connections.delete(stranger, id, true, OPERATOR),
      syncs.start(stranger.workspace_id, id),
      syncs.states(stranger.workspace_id, id),
      syncs.runs(stranger.workspace_id, id, null, { limit: 1, cursor: null }),
      syncs.cancel(stranger.workspace_id, id, "notes"),
      syncs.confirmDeletions(stranger.workspace_id, id, "notes"),
      syncs.cancel(workspaceId, id, "no such resource"),
      connections.find(workspaceId, "no id")
    ]
    for (const attempt of tries) {
      assert.strictEqual((yield* Effect.flip(attempt))._tag, "connection_not_found")
    }
    assert.deepStrictEqual(yield* connections.list(stranger.workspace_id), [])
    assert.deepStrictEqual([yield* connections.find(workspaceId, id), yield* state()], before)
  }).pipe(Effect.provide(service(source)))
})
