/** Stores for servers under test, and the rows of their tables. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Environment } from "../../serverProcess.ts"

export interface TestStore {
  readonly kind: "embedded" | "postgres"
  readonly settings: Environment
  /** The schema of the tables; SQLite calls its only one "main". */
  readonly schema: string
  query<Row>(statement: string): Promise<ReadonlyArray<Row>>
  remove(): Promise<void>
}

const querying = (client: Layer.Layer<SqlClient, unknown>) => <Row>(statement: string) =>
  Effect.flatMap(SqlClient, (sql) => sql.unsafe<Row & object>(statement)).pipe(
    Effect.provide(client),
    Effect.runPromise
  ) as Promise<ReadonlyArray<Row>>

export const embeddedStore = (directory = mkdtempSync(join(tmpdir(), "tributary-faults-"))): TestStore => ({
  kind: "embedded",
  settings: { TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: directory },
  schema: "main",
  query: async <Row>(statement: string) => {
    const database = new DatabaseSync(join(directory, "tributary.db"))
    try {
      return database.prepare(statement).all() as ReadonlyArray<unknown> as ReadonlyArray<Row>
    } finally {
      database.close()
    }
  },
  remove: async () => rmSync(directory, { recursive: true, force: true })
})

export const postgresStore = (url: string): TestStore => {
  const schema = `faults_${crypto.randomUUID().replaceAll("-", "")}`
  const query = querying(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  return {
    kind: "postgres",
    settings: { TRIBUTARY_DATABASE_URL: url, TRIBUTARY_DATABASE_SCHEMA: schema, TEST_DATABASE_PORT: new URL(url).port },
    schema,
    query,
    remove: async () => void await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  }
}
