import { assert, describe, it } from "@effect/vitest"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer } from "effect"
import { connected, services } from "../support/services.ts"

/** Sends an item, and something else happens before it is stored. */
const refusalAfter = Effect.fnUntraced(
  function*<E>({ source, workspace }: Effect.Success<ReturnType<typeof connected>>, event: Effect.Effect<unknown, E>) {
    const documents = yield* DocumentStore
    const racing = Layer.mock(DocumentStore, {
      admit: (...args) => Effect.andThen(Effect.orDie(event), documents.admit(...args))
    })
    const context = yield* Effect.context<ConnectorStore | TextExtractor>()
    const ingest = Layer.fresh(Ingest.layer).pipe(Layer.provide(Layer.merge(Layer.succeedContext(context), racing)))
    const sent = Effect.flatMap(Ingest, (service) => service.text(workspace, source, [{ text: "x" }]))
    return yield* Effect.flip(Effect.provide(sent, ingest))
  }
)

describe("at the last moment, ingest is refused", () => {
  it.effect("by a connector that is deactivated", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const connectors = yield* Connectors
      const refusal = refusalAfter(place, connectors.deactivate(place.workspace, place.source, false, OPERATOR))
      assert.strictEqual((yield* refusal)._tag, "bad_request")
      assert.deepStrictEqual(yield* (yield* DocumentStore).meters(place.id), { documents: 0, storage: 0 })
    }).pipe(Effect.provide(services)))

  it.effect("by a connector whose workspace is erased, as if it never existed", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const refusal = refusalAfter(place, (yield* Workspaces).erase(place.id))
      assert.strictEqual((yield* refusal)._tag, "client_not_found")
    }).pipe(Effect.provide(services)))
})
