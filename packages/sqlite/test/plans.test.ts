/**
 * Every statement of the ports begins at an index: none walks a table from its beginning, whatever its size. The kit runs
 * on one connection of this thread, which collects the statements.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { backendContract } from "@tributary/contract/backendContract"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { makeAnnouncements } from "../src/internal/announcements.ts"
import { Database } from "../src/internal/Database.ts"
import { migrate } from "../src/internal/migrate.ts"
import { ports } from "../src/internal/ports.ts"
import { SqliteConnection, type Value } from "../src/internal/SqliteConnection.ts"
import { longReads } from "../src/reads/index.ts"
import { writes } from "../src/writes/index.ts"
import { newFolder } from "./support/newFolder.ts"

const statements = new Set<string>()

class CollectingConnection extends SqliteConnection {
  override get<Row>(statement: string, ...values: ReadonlyArray<Value>): Row | undefined {
    statements.add(statement)
    return super.get<Row>(statement, ...values)
  }
  override all<Row>(statement: string, ...values: ReadonlyArray<Value>): ReadonlyArray<Row> {
    statements.add(statement)
    return super.all<Row>(statement, ...values)
  }
  override run(statement: string, ...values: ReadonlyArray<Value>): number {
    statements.add(statement)
    return super.run(statement, ...values)
  }
}

const db = new CollectingConnection({ path: join(newFolder(), "tributary.db"), fsync: false })
migrate(db)
afterAll(() => db.close())

type Operation = (db: SqliteConnection, ...args: ReadonlyArray<unknown>) => never

const inThisThread = Layer.succeed(Database, {
  read: (query) => Effect.sync(() => query(db)),
  readLong: (name, ...args) => Effect.sync(() => (longReads[name] as Operation)(db, ...args)),
  write: (name, ...args) =>
    Effect.sync(() => db.transaction("BEGIN IMMEDIATE", () => (writes[name] as Operation)(db, ...args))),
  ...makeAnnouncements()
})

backendContract("sqlite, in one thread", Layer.provide(ports, inThisThread))

/** Read from the beginning on purpose: pages of all workspaces, running jobs, and what an hourly sweep prunes. */
const EXPECTED =
  /^SCAN (w|sqlite_master|q|jobs USING INDEX jobs_running|kept|snapshots USING INDEX|sign_in_links|invitations|sessions)\b/

const planOf = (statement: string): ReadonlyArray<string> =>
  db.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).map(({ detail }) => detail)

const walks = (statement: string): ReadonlyArray<string> =>
  planOf(statement)
    .filter((detail) => /^SCAN (?!json_each|g\b|n\b|made\b|CONSTANT|\(subquery)/.test(detail) && !EXPECTED.test(detail))

describe("the statements", () => {
  it("start at an index", () => {
    assert.isAbove(statements.size, 100)
    const found = [...statements].filter((statement) => /^\s*(SELECT|UPDATE|DELETE|WITH|INSERT)/.test(statement))
      .map((statement) => [statement, walks(statement)] as const)
      .filter(([, walked]) => walked.length > 0)
    assert.deepStrictEqual(found, [])
  })

  it("begin a list from a moment at that moment, and read it in order", () => {
    const lists = [...statements].filter((text) =>
      /^SELECT.*documents_lasting/s.test(text) && !/FALSE AND|(connector|document)_id (=|IN)/.test(text)
    )
    assert.isAbove(lists.length, 10)
    for (const list of lists) {
      const plan = planOf(list)
      const [began, lasted] = plan.filter((detail) => detail.startsWith("SEARCH documents"))
      assert.match(began!, /INDEX documents_by_time \(workspace_id=\? AND \(?timestamp[^<]*>/, list)
      assert.match(lasted!, /INDEX documents_lasting \(workspace_id=\? AND ends_at>\?/, list)
      // What lasts is sorted, and what began since then is not.
      if (/timestamp AS place/.test(list) && !list.includes("EXCEPT")) {
        const left = plan.slice(plan.indexOf("LEFT"), plan.indexOf("RIGHT"))
        assert.notInclude(left, "USE TEMP B-TREE FOR ORDER BY", list)
      }
    }
  })
})
