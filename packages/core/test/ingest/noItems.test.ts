import { assert, describe, it } from "@effect/vitest"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import type { IngestResult } from "@tributary/core/model/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Effect } from "effect"
import { connected, services } from "../support/services.ts"

describe("ingest of no items", () => {
  it.effect("does nothing, unless the connector accepts none", () =>
    Effect.gen(function*() {
      const place = yield* connected()
      const [connectors, ingest] = [yield* Connectors, yield* Ingest]
      const nothing: IngestResult = { status: "accepted", events: 0, external_ids: [], rejected: [], items: [] }
      assert.deepStrictEqual(yield* ingest.text(place.workspace, place.source, []), nothing)
      assert.deepStrictEqual(yield* ingest.json(place.workspace, place.source, []), nothing)
      assert.deepStrictEqual(yield* ingest.typed(place.workspace, place.source, []), nothing)
      yield* connectors.deactivate(place.workspace, place.source, false, OPERATOR)
      assert.strictEqual((yield* Effect.flip(ingest.text(place.workspace, place.source, [])))._tag, "bad_request")
    }).pipe(Effect.provide(services)))
})
