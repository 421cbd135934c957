/**
 * What is read in the calling thread holds it for a few milliseconds, however many documents there are: longer reads run
 * in the other thread. Measured as processor time of the thread, which other work of the machine does not affect.
 */
import { assert, it } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { extent } from "../../../.ci/extent.ts"
import { threadMillis } from "../../http/test/support/threadMillis.ts"
import { admit, item, newSource } from "../../postgres/test/support/source.ts"
import { Database } from "../src/internal/Database.ts"
import { ports } from "../src/internal/ports.ts"
import { newFolder } from "./support/newFolder.ts"

const DOCUMENTS = extent(10_000, 200_000)
const BATCH = 1_000

/** In milliseconds. */
const MAX_MILLIS = 15

/** The first rounds compile the code. */
const ROUNDS = 4

it.live(`of ${DOCUMENTS} documents, no read holds the calling thread for more than ${MAX_MILLIS} ms`, () => {
  let longest = 0
  const timed = Layer.effect(
    Database,
    Effect.map(Database, (database) =>
      Database.of({
        ...database,
        read: (query) =>
          database.read((connection) => {
            const before = threadMillis()
            const result = query(connection)
            longest = Math.max(longest, threadMillis() - before)
            return result
          })
      }))
  )
  const file = { path: join(newFolder(), "tributary.db"), fsync: false }
  return Effect.gen(function*() {
    const documents = yield* DocumentStore
    const knowledge = yield* KnowledgeStore
    const { connectorId, workspaceId: id, ...source } = yield* newSource
    for (let from = 0; from < DOCUMENTS; from += BATCH) {
      const text = (at: number) => `The note ${from + at} is about something else. `.repeat(10)
      yield* admit(
        { ...source, connectorId, workspaceId: id },
        Array.from({ length: BATCH }, (_, at) => item(`note-${from + at}`, text(at)))
      )
    }
    const reads = {
      list: documents.list(id, connectorId, { after: null, externalId: null, limit: 100 }),
      scan: documents.scan(id, null, 5_000),
      "short changes": documents.changes(id, 0, 1_000),
      "long changes": documents.changes(id, 0, 5_000),
      "absent events": documents.events(id, { since: 0, source: null, kind: "absent", limit: 100 }),
      events: documents.events(id, { since: 0, source: null, kind: null, limit: 1_000 }),
      "external ids": documents.externalIds(id, connectorId, { after: null, limit: 1_000, prefix: "note-" }),
      count: documents.count(id, connectorId, { prefix: "note-", except: [] }),
      document: documents.findByExternalId(id, connectorId, "note-5"),
      meters: documents.meters(id),
      head: knowledge.head(id)
    }
    for (const [name, read] of Object.entries(reads)) {
      const rounds: Array<number> = []
      for (let round = 0; round < ROUNDS; round++) {
        longest = 0
        yield* read
        rounds.push(longest)
      }
      assert.isBelow(Math.min(...rounds), MAX_MILLIS, name)
    }
  }).pipe(Effect.provide(Layer.provide(ports, Layer.provide(timed, Database.layer(file))), { local: true }))
}, 300_000)
