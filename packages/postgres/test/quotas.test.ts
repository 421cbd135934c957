import { assert, it } from "@effect/vitest"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Exit, Layer } from "effect"
import * as Postgres from "../src/Postgres.ts"
import { describePostgres, newSchema, pool, portsIn } from "./support/database.ts"
import { admit, item, newSource, remove } from "./support/source.ts"
import { countedIn } from "./support/truth.ts"

const schema = newSchema()

const meters = Effect.fnUntraced(function*(workspaceId: Parameters<typeof countedIn>[1]) {
  const counted = yield* countedIn(schema, workspaceId)
  const shown = yield* (yield* DocumentStore).meters(workspaceId)
  assert.deepStrictEqual(shown, { documents: counted.documents, storage: counted.storage })
  assert.deepStrictEqual(counted.events, counted.events.map((_, index) => index + 1))
  assert.strictEqual(new Set(counted.changes).size, counted.changes.length)
  assert.strictEqual(counted.strays, 0)
  return counted
})

describePostgres("quotas", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    /** A second node on the same database, with a separate pool. */
    const elsewhere = Effect.map(
      Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(pool()))),
      (context) => <A, E>(effect: Effect.Effect<A, E, DocumentStore>) => Effect.provideContext(effect, context)
    )

    it.effect("are filled exactly by fifty batches over two nodes", () =>
      Effect.gen(function*() {
        const onOther = yield* elsewhere
        const source = yield* newSource
        const caps = { documents: 100, storage: 1_000 }
        const batches = Array.from({ length: 50 }, (_, batch) => {
          // Five new items each, two of them under ids that other batches send too.
          const items = [0, 1, 2, 3, 4].map((at) =>
            item(at < 2 ? `shared-${at}` : `${batch}-${at}`, `${batch}`.padEnd(10, "."))
          )
          const act = admit(source, items, caps)
          return batch % 2 === 0 ? act : onOther(act)
        })
        const statuses = (yield* Effect.all(batches, { concurrency: "unbounded" })).flat()
        const { documents, events, storage } = yield* meters(source.workspaceId)
        assert.deepStrictEqual([documents, storage], [100, 1_000])
        assert.strictEqual(statuses.filter((status) => status === "created").length, 100)
        assert.strictEqual(
          statuses.filter((status) => status === "created" || status === "updated").length,
          events.length
        )
        assert.isTrue(statuses.includes("rejected"))
      }).pipe(Effect.scoped))

    it.effect("give the last place to one of two nodes, repeatedly", () =>
      Effect.gen(function*() {
        const onOther = yield* elsewhere
        for (let round = 0; round < 20; round++) {
          const source = yield* newSource
          yield* admit(source, [item("first", "1234567890")])
          const caps = { documents: 2, storage: 20 }
          const [here, there] = yield* Effect.all(
            [
              admit(source, [item("here", "1234567890")], caps),
              onOther(admit(source, [item("there", "1234567890")], caps))
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([...here, ...there].toSorted(), ["created", "rejected"])
          yield* meters(source.workspaceId)
        }
      }).pipe(Effect.scoped))

    it.effect("stay exact while the same documents are stored and deleted concurrently", () =>
      Effect.gen(function*() {
        const onOther = yield* elsewhere
        const source = yield* newSource
        const ids = ["a", "b", "c"]
        const acts = Array.from({ length: 40 }, (_, index) =>
          index % 2 === 0
            ? admit(source, ids.map((id) => item(id, `${id} ${index}`, { payload: "{}" })))
            : onOther(Effect.as(remove(source, ids.toReversed()), [])))
        const statuses = (yield* Effect.all(acts, { concurrency: "unbounded" })).flat()
        const created = statuses.filter((status) => status === "created").length
        const { change_seq, changes, documents, events } = yield* meters(source.workspaceId)
        assert.strictEqual(changes.at(-1), change_seq)
        assert.strictEqual(events.length, change_seq)
        assert.include([0, 3], documents)
        // Every deleted document was created again with a new id.
        assert.strictEqual(changes.length, created)
      }).pipe(Effect.scoped))

    it.effect("are not affected by a document with the id of another workspace's", () =>
      Effect.gen(function*() {
        const [home, stranger] = [yield* newSource, yield* newSource]
        const sent = item("a", "alpha")
        yield* admit(home, [sent])
        const exit = yield* Effect.exit(admit(stranger, [item("b", "beta"), { ...sent, fingerprint: "other" }]))
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual((yield* meters(home.workspaceId)).documents, 1)
        assert.strictEqual((yield* meters(stranger.workspaceId)).documents, 0)
      }))

    it.effect("admit nothing after a deactivation was acknowledged", () =>
      Effect.gen(function*() {
        const connectors = yield* ConnectorStore
        const source = yield* newSource
        const late = Effect.gen(function*() {
          yield* connectors.update(source.workspaceId, source.connectorId, { is_active: false })
          return yield* meters(source.workspaceId)
        })
        const many = Effect.forEach(
          Array.from({ length: 30 }, (_, index) => index),
          (index) => admit(source, [item(`${index}`, "text")]),
          { concurrency: 8 }
        )
        const [then] = yield* Effect.all([Effect.delay(late, "10 millis"), many], { concurrency: "unbounded" })
        assert.strictEqual((yield* meters(source.workspaceId)).documents, then.documents)
      }))
  })
})
