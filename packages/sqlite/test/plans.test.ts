/**
 * Every statement of the ports begins at an index: none walks a table from its beginning, whatever its size. The kit runs
 * on one connection of this thread, which collects the statements. It has to make every write and every long read, so that
 * none is missing here.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { backendContract } from "@tributary/contract/backendContract"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { makeAnnouncements } from "../src/internal/announcements.ts"
import { Database, recording } from "../src/internal/Database.ts"
import { isOpen } from "../src/internal/isOpen.ts"
import { migrate } from "../src/internal/migrate.ts"
import { ports } from "../src/internal/ports.ts"
import { SqliteConnection, type Value } from "../src/internal/SqliteConnection.ts"
import { longReads } from "../src/reads/index.ts"
import { writes } from "../src/writes/index.ts"
import { newFolder } from "./support/newFolder.ts"

const statements = new Set<string>()
const operations = new Set<string>()

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

const file = { path: join(newFolder(), "tributary.db"), fsync: false }
const db = new CollectingConnection(file)
migrate(db)
const explaining = new SqliteConnection(file)
afterAll(() => {
  explaining.close()
  db.close()
})

type Operation = (db: SqliteConnection, ...args: ReadonlyArray<unknown>) => never

const operation = (all: Readonly<Record<string, unknown>>, name: string): Operation => {
  operations.add(name)
  return all[name] as Operation
}

const inThisThread = Layer.succeed(Database, {
  read: (query) => Effect.sync(() => query(db)),
  readOpen: (workspaceId, absent, query) => Effect.sync(() => isOpen(db, workspaceId) ? query(db) : absent),
  readLong: (name, ...args) => Effect.sync(() => operation(longReads, name)(db, ...args)),
  write: recording((name, args) =>
    Effect.sync(() => db.transaction("BEGIN IMMEDIATE", () => operation(writes, name)(db, ...args)))
  ),
  ...makeAnnouncements()
})

backendContract("sqlite, in one thread", Layer.provide(ports, inThisThread))

/** Read from the beginning on purpose: pages of all workspaces, running jobs, and what an hourly sweep prunes. */
const EXPECTED: ReadonlyArray<readonly [plan: RegExp, statement: RegExp]> = [
  [/^SCAN w\b/, /FROM workspaces w\b/],
  [/^SCAN sqlite_master\b/, /FROM sqlite_schema/],
  [/^SCAN q\b/, /FROM sync_states WHERE due_at <= \?1/],
  [/^SCAN jobs USING INDEX jobs_running\b/, /^UPDATE jobs/],
  [/^SCAN (kept|snapshots USING INDEX)\b/, /^DELETE FROM tombstones/],
  [/^SCAN (sign_in_links|invitations|sessions)\b/, /^DELETE FROM \w+ WHERE expires_at <= \?/]
]

const isExpected = (detail: string, of: string): boolean =>
  EXPECTED.some(([plan, statement]) => plan.test(detail) && statement.test(of))

const planOf = (statement: string): ReadonlyArray<string> =>
  explaining.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).map(({ detail }) => detail)

const walks = (statement: string): ReadonlyArray<string> =>
  planOf(statement)
    .filter((detail) =>
      /^SCAN (?!json_each|g\b|n\b|made\b|CONSTANT|\(subquery)/.test(detail) && !isExpected(detail, statement)
    )

/** Sorted before the first rows are taken: orders without an index, for a page that a person reads, and what is few. */
const SORTED = /ORDER BY (place |u\.email_proof|i\.invitation_id|q\.due_at|created_at, job_id|user_id LIMIT 1)/

/**
 * Walked on purpose: what a removed connection left, the one document of an external id, and what lies outside of a
 * range, which a person looks through.
 */
const WALKED = /connector_id = \? AND change_seq <= \?|external_id = \?|coalesce\(ends_at, timestamp\) <= \?/

/** The same statements as for short texts and lists. */
const LONG_FORMS = ["listChanges", "readContent"]

/** Of the column that orders a list: which sides the statement bounds by a parameter, and which of them the plan begins at. */
const sides = (list: string) => {
  const [, first = ""] = /ORDER BY (?:\w\.)?(\w+)/.exec(list)!
  const column = first === "place" ? /, (.*) AS place/.exec(list)![1]! : first
  const compared = new RegExp(`\\b${column}(?:, [\\w.]+\\))? ([<>])=? \\(?\\?`, "g")
  const searched = new RegExp(`\\b(?:${column}(?:,\\w+\\))?|rowid)([<>])`, "g")
  const found = (text: string, pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, side]) => side!))]
  return { compared: found(list, compared).sort(), searched: found(planOf(list).join(), searched).sort() }
}

describe("the statements", () => {
  it("are those of every write and every long read", () => {
    const all = [...Object.keys(writes), ...Object.keys(longReads)]
    assert.deepStrictEqual(all.filter((name) => !operations.has(name)), LONG_FORMS)
  })

  it("start at an index", () => {
    assert.isAbove(statements.size, 100)
    const found = [...statements].filter((statement) => /^\s*(SELECT|UPDATE|DELETE|WITH|INSERT)/.test(statement))
      .map((statement) => [statement, walks(statement)] as const)
      .filter(([, walked]) => walked.length > 0)
    assert.deepStrictEqual(found, [])
  })

  it("read given names first, and search each of them: an empty list costs nothing", () => {
    const named = [...statements].filter((text) => /FROM json_each\(\?\d*\) g\b/.test(text))
    assert.isNotEmpty(named)
    for (const statement of named) assert.match(planOf(statement)[0]!, /^SCAN g VIRTUAL TABLE/, statement)
  })

  it("begin a page at its cursor, and read it in order", () => {
    const lists = [...statements].filter((text) =>
      /ORDER BY.*LIMIT/s.test(text) && !text.includes("documents_lasting") && !WALKED.test(text)
    )
    assert.isAbove(lists.length, 50)
    for (const list of lists) {
      if (SORTED.test(list) && !list.includes(" timestamp AS place")) continue
      const { compared, searched } = sides(list)
      assert.includeMembers(searched, compared, list)
      // A filter by metadata sorts a few pairs of its own.
      if (!list.includes("EXCEPT")) assert.notInclude(planOf(list), "USE TEMP B-TREE FOR ORDER BY", list)
    }
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
