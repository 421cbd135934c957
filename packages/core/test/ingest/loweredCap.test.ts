// A replacement that does not grow is always accepted (validation 22), also by a cap on one document that was lowered.
import { assert, describe, it } from "@effect/vitest"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { Workspaces } from "@tributary/core/Workspaces"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Layer } from "effect"
import { connected as connection, withSource } from "../support/connecting.ts"
import { connected, services, servicesOver } from "../support/services.ts"

/** A document of six bytes, larger than the three that are allowed by now. */
const large = Effect.gen(function*() {
  const { id, source, workspace } = yield* connected()
  const [documents, ingest] = [yield* Documents, yield* Ingest]
  yield* ingest.text(workspace, source, [{ external_id: "a", text: "abcdef" }])
  const lowered = yield* (yield* Workspaces).update(id, { limits: { doc_size: 3 } })
  return {
    /** The statuses of versions that are sent one by one. */
    statuses: (...versions: ReadonlyArray<string>) =>
      Effect.forEach(versions, (text) =>
        ingest.text(lowered, source, [{ external_id: "a", text }]).pipe(
          Effect.map(({ items: [item] }) => item?.status),
          Effect.catchTag("quota_exceeded", ({ details }) => Effect.succeed(details.rejected[0]?.resource))
        )),
    send: (items: Parameters<typeof ingest.text>[2]) => ingest.text(lowered, source, items),
    text: Effect.map(documents.findByExternalId(id, source, "a"), ({ text }) => text)
  }
})

describe("a document larger than a lowered cap", () => {
  it.effect("is replaced by what is not larger than it, and is unchanged if sent again", () =>
    Effect.gen(function*() {
      const { statuses, text } = yield* large
      assert.deepStrictEqual(yield* statuses("abcdef", "uvwxyz", "vwxyz"), ["unchanged", "updated", "updated"])
      assert.strictEqual(yield* text, "vwxyz")
    }).pipe(Effect.provide(services)))

  it.effect("does not grow, and does not grow back", () =>
    Effect.gen(function*() {
      const { statuses, text } = yield* large
      const sent = yield* statuses("1234567", "12345", "123456", "12", "1234", "123")
      assert.deepStrictEqual(sent, ["doc_size", "updated", "doc_size", "updated", "doc_size", "updated"])
      assert.strictEqual(yield* text, "123")
    }).pipe(Effect.provide(services)))

  it.effect("is looked up once for all items of a request", () => {
    let lookups = 0
    const counting = Layer.effect(
      DocumentStore,
      Effect.map(DocumentStore, (store) =>
        DocumentStore.of({
          ...store,
          sizes: (...of) =>
            Effect.suspend(() => {
              lookups++
              return store.sizes(...of)
            }),
          list: (...of) =>
            Effect.suspend(() => {
              lookups++
              return store.list(...of)
            })
        }))
    )
    return Effect.gen(function*() {
      const { send } = yield* large
      const sent = Array.from({ length: 20 }, (_, at) => ({ external_id: at === 7 ? "a" : `b${at}`, text: "vwxyz" }))
      const { items } = yield* send([...sent, { external_id: "small", text: "123" }])
      assert.deepStrictEqual(items.flatMap(({ external_id, status }) => status === "rejected" ? [] : [external_id]), [
        "a",
        "small"
      ])
      assert.strictEqual(lookups, 1)
    }).pipe(Effect.provide(servicesOver(counting)))
  })

  it.effect("makes no room for another one", () =>
    Effect.gen(function*() {
      const { send } = yield* large
      const { items } = yield* send([{ external_id: "b", text: "12345" }, { text: "12345" }, { text: "123" }])
      assert.deepStrictEqual(items.map(({ status }) => status), ["rejected", "rejected", "created"])
    }).pipe(Effect.provide(services)))

  it.effect(
    "is not left out of a sync",
    withSource(1, function*(source) {
      const { sync, workspaceId } = yield* connection()
      yield* sync
      yield* (yield* Workspaces).update(workspaceId, { limits: { doc_size: 3 } })
      source.resources.get("notes")!.set("00000", "About badgers.")
      assert.deepInclude(yield* sync, { items_ingested: 1, rejected: [] })
    })
  )
})
