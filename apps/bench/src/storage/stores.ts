/** The measured stores, each with the smallest query of its database. */
import type { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import type { AuditStore } from "@tributary/core/ports/AuditStore"
import type { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import type { DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { JobStore } from "@tributary/core/ports/JobStore"
import type { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import type { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import * as Postgres from "@tributary/postgres/Postgres"
import * as Sqlite from "@tributary/sqlite/Sqlite"
import { Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteConnection } from "../../../../packages/sqlite/src/internal/SqliteConnection.ts"
import { writes } from "../../../../packages/sqlite/src/writes/index.ts"
import type { Batch } from "./batches.ts"
import { pool, SCHEMA } from "./databases.ts"
import type { Place } from "./places.ts"
import * as rawPostgres from "./rawPostgres.ts"
import * as rawSqlite from "./rawSqlite.ts"

type Ports = ApiKeyStore | AuditStore | ConnectorStore | DocumentStore | JobStore | KnowledgeStore | WorkspaceStore

export type Admit = (...admission: Parameters<DocumentStore["Service"]["admit"]>) => Effect.Effect<unknown, unknown>

interface Direct {
  readonly insert: (place: Place, batch: Batch) => Effect.Effect<unknown, unknown>
  /** An admission in the calling thread; null when it takes place in another process. */
  readonly admit: Admit | null
}

export interface MeasuredStore {
  readonly name: string
  readonly ports: Layer.Layer<Ports, unknown>
  /** `SELECT 1`, without the store. */
  readonly select: Effect.Effect<unknown, unknown>
  /** Opens the database without the store, and creates tables for raw inserts, after the store's own tables. */
  readonly openDirect: Effect.Effect<Direct, unknown, Scope.Scope>
}

export const postgresStore = Effect.fnUntraced(function*(url: string) {
  const sql = yield* Layer.build(pool(url))
  const run = <A, E>(act: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provideContext(act, sql)
  const store: MeasuredStore = {
    name: "Postgres",
    ports: Layer.provide(Postgres.layer({ schema: SCHEMA }), Layer.succeedContext(sql)),
    select: run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`)),
    openDirect: Effect.as(
      Effect.provideContext(rawPostgres.makeRawTables, sql),
      { insert: (place, batch) => run(rawPostgres.rawInsert(place, batch)), admit: null }
    )
  }
  return store
})

export const sqliteStore = (name: string, fsync: boolean) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "tributary-bench-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder): MeasuredStore => {
      const path = join(folder, "tributary.db")
      const closing = <A extends { close(): void }>(open: () => A) =>
        Effect.acquireRelease(Effect.sync(open), (opened) => Effect.sync(() => opened.close()))
      return {
        name,
        ports: Sqlite.layer({ path, fsync }),
        select: Effect.sync(() => rawSqlite.select()),
        openDirect: Effect.gen(function*() {
          const raw = yield* closing(() => rawSqlite.openRaw(path, join(folder, `raw-${Date.now()}.db`), fsync))
          const own = yield* closing(() => new SqliteConnection({ path, fsync }))
          const insert = rawSqlite.rawInsert(raw)
          return {
            insert: (place, batch) => Effect.sync(() => insert(place, batch)),
            admit: (...[workspaceId, origin, items, { caps, follow, now }]) =>
              Effect.sync(() =>
                own.transaction(
                  "BEGIN IMMEDIATE",
                  () => writes.admit(own, workspaceId, origin, items, { caps, now, follow })
                )
              )
          } satisfies Direct
        })
      }
    }
  )
