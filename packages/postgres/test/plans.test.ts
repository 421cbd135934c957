import { backendContract } from "@tributary/contract/backendContract"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { extent } from "../../../.ci/extent.ts"
import * as Postgres from "../src/Postgres.ts"
import { isAllowed } from "./support/allowedWalks.ts"
import { advanceIn, describePostgres, newSchema, pool, portsIn } from "./support/database.ts"
import { type Explained, explainingPool, SETTINGS } from "./support/explained.ts"
import { fillTables } from "./support/largeTables.ts"
import { optionsIn, secured, serverRole, urlAs } from "./support/securedRows.ts"
import { databaseUrl } from "./support/testServer.ts"
import { type Index, indexesOf, walksOf } from "./support/walks.ts"

/** Every statement of the kit, on large tables, with plans that do not depend on parameters. */
const plansOn = ({ analyzed = false, isSecured = false }) => {
  const schema = newSchema()
  const statements = new Map<string, Explained>()
  const indexes = new Map<string, Index>()

  const large = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)))
    yield* fillTables(sql, schema)
    if (analyzed) yield* sql.unsafe("ANALYZE").unprepared
    const found = yield* sql<Index>`SELECT c.relname AS name, i.indisunique AND i.indpred IS NULL AS unique, (
        SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = ${schema}::regnamespace`
    for (const index of found) indexes.set(index.name, index)
  })
  const migrated = isSecured
    ? secured(schema, Object.entries(SETTINGS).map(([name, value]) => `SET ${name} = '${value}'`))
    : Postgres.layerMigrations({ schema })
  const filled = Layer.provide(Layer.effectDiscard(large), migrated)
  const explained = (one: Explained) => void statements.set(one["Query Text"], one)
  const ports = Postgres.layer(isSecured ? optionsIn(schema) : { schema }).pipe(
    Layer.provide(
      isSecured
        ? explainingPool(urlAs(serverRole(schema)), explained, {})
        : explainingPool(databaseUrl ?? "", explained)
    ),
    Layer.provideMerge(filled),
    Layer.provideMerge(pool())
  )
  backendContract("the contract", ports, { advance: advanceIn(schema), timeout: "3 minutes" })

  it("uses an index, and reads no more rows than it returns", () => {
    assert.isAbove(statements.size, 200)
    const walks = Array.from(statements.values(), (one) => ({
      statement: one["Query Text"].replaceAll(/\s+/g, " ").replaceAll(schema, ""),
      walks: walksOf(one, indexes).filter((walk) => !isAllowed(walk, one["Query Text"]))
    }))
    assert.deepStrictEqual(walks.filter(({ walks }) => walks.length > 0), [])
  })

  it("bounds a page by its cursor, not by a condition that may be absent", () => {
    const texts = Array.from(statements.values(), (one) => one["Query Text"])
    const optional = /\bIS NULL OR (\([\w., "]+\)|[\w."]+_(id|seq|key)) [<>]/
    assert.deepStrictEqual(texts.filter((text) => optional.test(text)), [])
  })

  it("begins a list from a moment at that moment", () => {
    const lists = [...statements.values()].filter(({ "Query Text": text }) =>
      text.includes("q.ends_at >") && !/AND FALSE|d\.(connector_id|document_id) = /.test(text)
    )
    assert.isAbove(lists.length, 10)
    for (const list of lists) {
      assert.includeMembers(indexesOf(list), ["documents_by_time", "documents_lasting"], list["Query Text"])
    }
  })
}

describePostgres("every statement, without statistics", () => plansOn({}))
if (extent(false, true)) {
  describePostgres("with the plans that Postgres chooses", () => {
    const schema = newSchema()
    backendContract("the contract", portsIn(schema), { advance: advanceIn(schema), timeout: "3 minutes" })
  })
  describePostgres("every statement, with the statistics of one large workspace", () => plansOn({ analyzed: true }))
  describePostgres("every statement, with row-level security", () => plansOn({ isSecured: true }))
}
