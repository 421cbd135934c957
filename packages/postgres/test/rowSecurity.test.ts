import { backendContract } from "@tributary/contract/backendContract"
import { assert, it } from "@effect/vitest"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { QuestionStore } from "@tributary/core/ports/QuestionStore"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import { UsageStore } from "@tributary/core/ports/UsageStore"
import { WebhookStore } from "@tributary/core/ports/WebhookStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Pool } from "pg"
import { extent } from "../../../.ci/extent.ts"
import { Database } from "../src/internal/Database.ts"
import { migrate } from "../src/internal/migrating/migrate.ts"
import * as scopes from "../src/internal/rowScopes.ts"
import { migrations } from "../src/migrations/index.ts"
import * as NodePostgres from "../src/NodePostgres.ts"
import * as Postgres from "../src/Postgres.ts"
import * as PostgresClient from "../src/PostgresClient.ts"
import { exportStore } from "../src/StoreExport.ts"
import { importStore } from "../src/StoreImport.ts"
import { advanceIn, describePostgres, dropped, newSchema, pool } from "./support/database.ts"
import * as ForeignCalls from "./support/foreignCalls.ts"
import { installedPgbouncer, startPgbouncer } from "./support/pgbouncer.ts"
import { fillTables } from "./support/largeTables.ts"
import { optionsIn, secured, securedPortsIn, serverRole, systemRole, urlAs } from "./support/securedRows.ts"
import { admit, furnishPeople, item, newJob, newSource } from "./support/source.ts"
import { databaseUrl } from "./support/testServer.ts"

/** Tables whose rows belong to no workspace. */
const OF_NO_WORKSPACE = [
  "accounts",
  "identities",
  "migrations",
  "operator_log",
  "operators",
  "sessions",
  "sign_in_links",
  "usage_writers",
  "users"
]

// Each call of the kit is made as another workspace's, too.
if (extent(false, true)) {
  describePostgres("with row-level security, the kit", () => {
    const schema = newSchema()
    const asked: ForeignCalls.Asked = new Map()
    const client = pool({ url: urlAs(serverRole(schema)) })
    const owner = pool()
    const prepared = secured(schema).pipe(Layer.provide(dropped(schema)), Layer.provide(owner))
    const ports = Layer.mergeAll(
      ForeignCalls.layer(WorkspaceStore, scopes.workspaces, schema, asked),
      ForeignCalls.layer(ApiKeyStore, scopes.apiKeys, schema, asked),
      ForeignCalls.layer(ConnectionStore, scopes.connections, schema, asked),
      ForeignCalls.layer(ConnectorStore, scopes.connectors, schema, asked),
      ForeignCalls.layer(DocumentStore, scopes.documents, schema, asked),
      ForeignCalls.layer(KnowledgeStore, scopes.knowledge, schema, asked),
      ForeignCalls.layer(JobStore, scopes.jobs, schema, asked),
      ForeignCalls.layer(RateWindows, scopes.rateWindows, schema, asked),
      ForeignCalls.layer(PeopleStore, scopes.people, schema, asked),
      ForeignCalls.layer(QuestionStore, scopes.questions, schema, asked),
      ForeignCalls.layer(SyncRunStore, scopes.syncRuns, schema, asked),
      ForeignCalls.layer(UsageStore, scopes.usage, schema, asked),
      ForeignCalls.layer(WebhookStore, scopes.webhooks, schema, asked)
    ).pipe(
      Layer.provideMerge(Postgres.layer(optionsIn(schema))),
      Layer.provide(client),
      Layer.provide(prepared),
      Layer.provideMerge(owner)
    )
    backendContract("the contract", ports, { advance: advanceIn(schema), timeout: "3 minutes" })

    it("shows and changes nothing of another workspace, in any method", () => {
      assert.isAbove(asked.size, 60)
      assert.deepStrictEqual(Array.from(asked).filter(([, differs]) => !differs), [])
    })
  })
}

describePostgres("row-level security", () => {
  const schema = newSchema()
  const built = (options: Postgres.PostgresOptions, role = serverRole(schema)) =>
    Effect.scoped(
      Layer.build(Layer.provide(Postgres.layer({ ...optionsIn(schema), ...options }), pool({ url: urlAs(role) })))
    )
  const refusal = (options: Postgres.PostgresOptions, role?: string) =>
    Effect.map(Effect.flip(built(options, role)), ({ message }) => message)

  /** Two workspaces alternate on fewer connections than they use concurrently. */
  const apart = <E>(client: Layer.Layer<SqlClient.SqlClient, E>) =>
    Effect.gen(function*() {
      const context = yield* Layer.build(Layer.provideMerge(Postgres.layer(optionsIn(schema)), client))
      const asked = Effect.gen(function*() {
        const documents = yield* DocumentStore
        const sources = [yield* newSource, yield* newSource]
        for (const source of sources) yield* admit(source, [item(source.workspaceId, "A badge.")])
        yield* Effect.forEach(Array.from({ length: 100 }), (_, number) => {
          const { connectorId, workspaceId } = sources[number % 2]!
          const page = { externalId: null, after: null, limit: 9 }
          return Effect.map(documents.list(workspaceId, connectorId, page), (found) =>
            assert.deepStrictEqual(found.map(({ external_id }) => external_id), [workspaceId]))
        }, { concurrency: 10 })
        const sql = yield* SqlClient.SqlClient
        const left = yield* Effect.replicateEffect(
          sql`SELECT current_user = session_user AS itself, (
              SELECT count(*)::integer FROM ${sql(`${schema}.documents`)}) AS documents,
            coalesce(current_setting('tributary.workspace', true), '') AS workspace`,
          20,
          { concurrency: 10 }
        )
        for (const rows of left) {
          assert.deepStrictEqual(rows, [{ itself: true, documents: 0, workspace: "" }])
        }
      })
      yield* Effect.provideContext(asked, context)
    }).pipe(Effect.scoped)

  it.layer(securedPortsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("must match the server's settings, or the server does not start", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [server, system] = [serverRole(schema), systemRole(schema)]
        yield* built({})
        assert.include(
          yield* refusal({ systemRole: undefined }),
          `holds the role "${server}" to the rows of one workspace`
        )
        assert.include(yield* refusal({ systemRole: "nobody" }), `may not act as "nobody"`)
        const asOwner = Layer.provide(Postgres.layer(optionsIn(schema)), pool())
        const { message } = yield* Effect.flip(Effect.scoped(Layer.build(asOwner)))
        assert.match(
          message,
          /does not hold the role "\w+" on api_keys, .*, workspaces\. Call secure_rows .* do not name a system role/
        )

        yield* sql.unsafe(`ALTER TABLE ${schema}.chunks DISABLE ROW LEVEL SECURITY`)
        assert.include(yield* refusal({}), `does not hold the role "${server}" on chunks.`)
        yield* sql.unsafe(`ALTER TABLE ${schema}.chunks ENABLE ROW LEVEL SECURITY`)

        yield* sql.unsafe(`REVOKE ${system} FROM ${server}`)
        assert.include(yield* refusal({}), `GRANT ${system} TO ${server}`)
        yield* sql.unsafe(`ALTER ROLE ${server} INHERIT`)
        yield* sql.unsafe(`GRANT ${system} TO ${server}`)
        assert.include(yield* refusal({}), "Make it NOINHERIT")
        yield* sql.unsafe(`REVOKE ${system} FROM ${server}`)
        yield* sql.unsafe(`ALTER ROLE ${server} NOINHERIT`)
        yield* sql.unsafe(`GRANT ${system} TO ${server}`)
        yield* built({ alone: true })
      }))

    it.effect("shows and changes no row of any table if a statement names no workspace", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const full = newSchema()
        yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA ${full} CASCADE`)))
        yield* Layer.build(secured(full))
        yield* fillTables(sql, full, 20)
        const asServer = Context.get(yield* Layer.build(pool({ url: urlAs(serverRole(full)) })), SqlClient.SqlClient)
        const rowsOf = (sql: SqlClient.SqlClient, name: string) =>
          Effect.map(
            sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM ${sql(`${full}.${name}`)}`,
            ([row]) => row!.count
          )
        const tables = yield* sql<{ readonly name: string }>`SELECT relname AS name FROM pg_class
          WHERE relnamespace = ${full}::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`
        const names = tables.map(({ name }) => name).filter((name) => !OF_NO_WORKSPACE.includes(name))
        assert.isAbove(names.length, 25)
        for (const name of names) {
          const stored = yield* rowsOf(sql, name)
          assert.isAbove(stored, 0, name)
          assert.strictEqual(yield* rowsOf(asServer, name), 0, name)
          yield* asServer`DELETE FROM ${sql(`${full}.${name}`)}`
          assert.strictEqual(yield* rowsOf(sql, name), stored, name)
        }
      }).pipe(Effect.scoped))

    it.effect("covers a table of a later migration, and stays off where it was", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const off = newSchema()
        const later = [...migrations, {
          name: "later",
          oldestCompatible: 1,
          statements: (schema: string) => [`CREATE TABLE ${schema}.later (workspace_id uuid PRIMARY KEY)`]
        }]
        const on = newSchema()
        for (const name of [on, off]) {
          yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA ${name} CASCADE`)))
          yield* Effect.provide(migrate(migrations), Database.layer(name))
        }
        yield* Layer.build(secured(on))
        const securedTables = Effect.fnUntraced(function*(schema: string) {
          yield* Effect.provide(migrate(later), Database.layer(schema))
          const [row] = yield* sql<{ readonly count: number; readonly later: boolean }>`
            SELECT count(*) FILTER (WHERE relrowsecurity)::integer AS count,
              coalesce(bool_or(relrowsecurity AND has_table_privilege(${serverRole(on)}, oid, 'INSERT'))
                FILTER (WHERE relname = 'later'), false) AS later
            FROM pg_class WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r'`
          return row!
        })
        assert.deepStrictEqual(yield* securedTables(off), { count: 0, later: false })
        assert.isTrue((yield* securedTables(on)).later)
      }).pipe(Effect.scoped))

    it.effect("lets the server's role export and import everything", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const source = yield* newSource
        yield* admit(source, [item("kept", "A badge.", { payload: "{}" })])
        yield* furnishPeople(source)
        const written: Array<string> = []
        const write = (text: string) => Effect.sync(() => written.push(text))
        const asServer = pool({ url: urlAs(serverRole(schema)) })
        const exported = yield* exportStore({ ...optionsIn(schema), write }).pipe(Effect.provide(asServer))
        assert.deepInclude(exported, {
          workspaces: 1,
          documents: 1,
          chunks: 1,
          payloads: 1,
          members: 1,
          invitations: 1
        })
        assert.deepStrictEqual(exported, yield* exportStore({ schema, write: () => Effect.void }))

        const there = newSchema()
        yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA ${there} CASCADE`)))
        yield* Layer.build(secured(there))
        const lines = Stream.toAsyncIterable(Stream.fromIterable(written.join("").trimEnd().split("\n")))
        const imported = yield* importStore({ ...optionsIn(there), lines, buildJob: (id) => newJob(id) }).pipe(
          Effect.provide(pool({ url: urlAs(serverRole(there)) }))
        )
        assert.deepStrictEqual(imported, exported)
      }).pipe(Effect.scoped))

    it.effect("isolates two workspaces on a pool of pg, and leaves nothing in its connections", () =>
      Effect.gen(function*() {
        const host = new Pool({ connectionString: urlAs(serverRole(schema)), max: 3 })
        yield* Effect.addFinalizer(() => Effect.promise(() => host.end()))
        yield* apart(NodePostgres.layer(host))
      }).pipe(Effect.scoped))

    it.effect.skipIf(databaseUrl === null || !installedPgbouncer())(
      "isolates two workspaces through PgBouncer in transaction mode",
      () =>
        Effect.gen(function*() {
          const pooler = yield* Effect.acquireRelease(
            Effect.promise(() => startPgbouncer(urlAs(serverRole(schema)), 3)),
            (pooler) => Effect.sync(() => pooler.close())
          )
          yield* apart(PostgresClient.layer({ url: Redacted.make(pooler.url), maxConnections: 10 }))
        }).pipe(Effect.scoped)
    )
  })
})
