/** A page in the middle of the file is damaged. */
import { assert, it } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Option } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Sqlite from "../src/Sqlite.ts"
import { newFolder } from "./support/newFolder.ts"
import { admit, item, newSource } from "../../postgres/test/support/source.ts"

const PAGE = 4096

it.effect("a damaged page fails only the reads that need it", () =>
  Effect.gen(function*() {
    const path = join(newFolder(), "tributary.db")
    const store = Sqlite.layer({ path })
    const source = yield* Effect.provide(
      Effect.gen(function*() {
        const source = yield* newSource
        yield* admit(source, [item("sound", "s".repeat(300)), item("damaged", "d".repeat(300))])
        return source
      }),
      store,
      { local: true }
    )
    // The root page of the table that holds the texts.
    const database = new DatabaseSync(path)
    const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'chunks'").get()?.["rootpage"]
    database.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, (Number(root) - 1) * PAGE, Number(root) * PAGE))

    yield* Effect.provide(
      Effect.gen(function*() {
        const documents = yield* DocumentStore
        const error = yield* Effect.flip(
          documents.findByExternalId(source.workspaceId, source.connectorId, "damaged")
        )
        assert.include(String(error.cause), "A page of the database is damaged.")
        const page = { after: null, externalId: null, limit: 9 }
        assert.strictEqual((yield* documents.list(source.workspaceId, source.connectorId, page)).length, 2)
        assert.deepStrictEqual(yield* documents.meters(source.workspaceId), { documents: 2, storage: 600 })
        assert.isTrue(
          Option.isNone(yield* documents.findByExternalId(source.workspaceId, source.connectorId, "absent"))
        )
      }),
      store,
      { local: true }
    )
  }))
