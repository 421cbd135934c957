/** How the texts of a list are read while documents change. */
import { assert, it } from "@effect/vitest"
import { DocumentId } from "@tributary/core/model/Id"
import { Effect } from "effect"
import { join } from "node:path"
import { migrate } from "../src/internal/migrate.ts"
import { readListed } from "../src/internal/readListed.ts"
import { SqliteConnection } from "../src/internal/SqliteConnection.ts"
import type { Listed } from "../src/reads/changes.ts"
import { newFolder } from "./support/newFolder.ts"

const idOf = (number: number) => DocumentId.make(`01890000-0000-7000-8000-00000000000${number}`)

const listed = (number: number, id: number | null): Listed => ({
  id,
  document_id: idOf(number),
  change_seq: number,
  text_bytes: 2
})

const store = (db: SqliteConnection, number: number, changeSeq: number, chunks: ReadonlyArray<string>): void => {
  db.run(
    `INSERT INTO documents (id, document_id, workspace_id, connector_id, external_id, change_seq, source, kind, size,
      text_bytes, timestamp, metadata, fingerprint, created_at, updated_at)
      VALUES (?, ?, 'w', 'c', ?, ?, 'custom:a', 'custom', 2, 2, 0, '{}', 'f', 0, 0)`,
    number,
    idOf(number),
    String(number),
    changeSeq
  )
  for (const [ordinal, text] of chunks.entries()) {
    db.run("INSERT INTO chunks (document, ordinal, start, text) VALUES (?, ?, ?, ?)", number, ordinal, ordinal, text)
  }
}

it.effect("a document that was replaced or deleted after it was listed is left out, and the order of the list stays", () =>
  Effect.gen(function*() {
    const db = new SqliteConnection({ path: join(newFolder(), "tributary.db"), fsync: false })
    yield* Effect.addFinalizer(() => Effect.sync(() => db.close()))
    migrate(db)
    store(db, 1, 1, ["b", "a"])
    store(db, 2, 9, ["replaced"])
    store(db, 5, 5, [])
    const list = [listed(5, 5), listed(2, 2), listed(3, 3), listed(4, null), listed(1, 1)]
    const changes = yield* readListed((query) => Effect.sync(() => query(db)), Effect.succeed(list))
    assert.deepStrictEqual(
      changes.map(({ change_seq, document }) => [change_seq, document && [document.document_id, document.chunks]]),
      [[5, [idOf(5), []]], [4, null], [1, [idOf(1), ["b", "a"]]]]
    )
  }))
