import { assert, describe, it } from "@effect/vitest"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { derivedTables, transferredTables } from "../src/internal/transferredTables.ts"
import { PgliteClient } from "../src/pglite/index.ts"
import * as Postgres from "../src/Postgres.ts"
import { exportStore } from "../src/StoreExport.ts"
import { admit, item, newJob, newSource, NOW } from "./support/source.ts"

const store = Layer.provideMerge(Postgres.layer(), PgliteClient.layerMemory())

describe("an export", { timeout: 60_000 }, () => {
  it.layer(store)((it) => {
    it.effect("has every table of the schema, but for those that are derived", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient
        const present = yield* sql<{ readonly name: string }>`SELECT table_name::text AS name
          FROM information_schema.tables WHERE table_schema = 'tributary'`
        assert.deepStrictEqual(
          [...transferredTables.map(({ name }) => name), ...derivedTables].sort(),
          present.map(({ name }) => name).sort()
        )
      }))

    it.effect("leaves out what a closed workspace has not erased yet", () =>
      Effect.gen(function*() {
        const kept = yield* newSource
        yield* admit(kept, [item("kept", "A badge.", { payload: "{}" })])
        const closed = yield* newSource
        yield* admit(closed, [item("closed", "A secret.", { payload: "{}" })])
        yield* (yield* WorkspaceStore).close(closed.workspaceId, newJob(closed.workspaceId, { created_at: NOW }))
        const lines: Array<string> = []
        const exported = yield* exportStore({ write: (text) => Effect.sync(() => lines.push(text)) })
        assert.notInclude(lines.join(""), closed.workspaceId)
        assert.notInclude(lines.join(""), "A secret.")
        assert.include(lines.join(""), "A badge.")
        assert.deepInclude(exported, { workspaces: 1, connectors: 1, documents: 1, chunks: 1, payloads: 1, events: 1 })
      }))
  })
})
