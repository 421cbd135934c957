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
import type { Batch } from "./batches.ts"
import { pool, SCHEMA } from "./databases.ts"
import type { Place } from "./places.ts"
import * as rawPostgres from "./rawPostgres.ts"
import * as rawSqlite from "./rawSqlite.ts"

type Ports = ApiKeyStore | AuditStore | ConnectorStore | DocumentStore | JobStore | KnowledgeStore | WorkspaceStore

type RawInsert = (place: Place, batch: Batch) => Effect.Effect<unknown, unknown>

export interface MeasuredStore {
  readonly name: string
  readonly ports: Layer.Layer<Ports, unknown>
  /** `SELECT 1`, without the store. */
  readonly select: Effect.Effect<unknown, unknown>
  /** Creates the tables for raw inserts, after the store's own tables. */
  readonly prepareRaw: Effect.Effect<RawInsert, unknown, Scope.Scope>
}

export const postgresStore = Effect.fnUntraced(function*(url: string) {
  const sql = yield* Layer.build(pool(url))
  const run = <A, E>(act: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provideContext(act, sql)
  const store: MeasuredStore = {
    name: "Postgres",
    ports: Layer.provide(Postgres.layer({ schema: SCHEMA }), Layer.succeedContext(sql)),
    select: run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`)),
    prepareRaw: Effect.as(
      Effect.provideContext(rawPostgres.makeRawTables, sql),
      (place, batch) => run(rawPostgres.rawInsert(place, batch))
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
      const openRaw = Effect.acquireRelease(
        Effect.sync(() => rawSqlite.openRaw(path, join(folder, `raw-${Date.now()}.db`), fsync)),
        (raw) => Effect.sync(() => raw.close())
      )
      return {
        name,
        ports: Sqlite.layer({ path, fsync }),
        select: Effect.sync(() => rawSqlite.select()),
        prepareRaw: Effect.map(openRaw, (raw) => {
          const insert = rawSqlite.rawInsert(raw)
          return (place, batch) => Effect.sync(() => insert(place, batch))
        })
      }
    }
  )
