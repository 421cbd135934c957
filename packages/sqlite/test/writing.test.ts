/** The thread that writes, and the one for long reads. */
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { emptyWindow, RateWindows } from "@tributary/core/ports/RateWindows"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Duration, Effect, Exit } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { admit, item, newJob, newSource } from "../../postgres/test/support/source.ts"
import { commitGroup } from "../src/internal/groupCommit.ts"
import { migrate } from "../src/internal/migrate.ts"
import { SqliteConnection } from "../src/internal/SqliteConnection.ts"
import { shrink } from "../src/internal/maintenance.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { newFolder } from "./support/newFolder.ts"

const newPath = () => join(newFolder(), "tributary.db")

const newConnection = () => {
  const db = new SqliteConnection({ path: newPath(), fsync: false })
  migrate(db)
  return db
}

const account = (id: string, personal: string) =>
  [
    { account_id: id, name: "Ada", email: null, tier: "free", created_at: new Date(0) },
    {
      workspace_id: personal,
      account_id: id,
      name: "Home",
      kind: "personal",
      tier: "free",
      created_at: new Date(0),
      grandfathered: false,
      suspended: false,
      overrides: {}
    }
  ] as const

describe("a group of writes", () => {
  afterEach(() => void vi.restoreAllMocks())

  /** Every look at the clock takes this many milliseconds. */
  const clockOf = (step: number): void => {
    let now = 0
    vi.spyOn(performance, "now").mockImplementation(() => now += step)
  }

  it("keeps the others if one of them fails, and nothing of that one", () => {
    clockOf(0)
    const db = newConnection()
    const queue = [
      { id: 1, name: "createAccount", args: account("a", "home-a") },
      // Its workspace exists: the account that it inserted before has to go.
      { id: 2, name: "createAccount", args: account("b", "home-a") },
      { id: 3, name: "createAccount", args: account("c", "home-c") }
    ]
    const replies = commitGroup(db, queue)
    assert.deepStrictEqual(replies.map((reply) => "error" in reply), [false, true, false])
    assert.deepStrictEqual(queue, [])
    const accounts = db.all<{ readonly account_id: string }>("SELECT account_id FROM accounts ORDER BY account_id")
    assert.deepStrictEqual(accounts.map(({ account_id }) => account_id), ["a", "c"])
    db.close()
  })

  it.each([
    ["size", 0, [64, 36]],
    ["time", 1, [19, 19, 19, 19, 19, 5]]
  ])("is one transaction, of a limited %s", (_, step, sizes) => {
    clockOf(step)
    const db = newConnection()
    const queue = Array.from(
      { length: 100 },
      (_, id) => ({ id, name: "createAccount", args: account(`${id}`, `${id}`) })
    )
    const groups: Array<ReadonlyArray<number>> = []
    while (queue.length > 0) groups.push(commitGroup(db, queue).map(({ id }) => id))
    assert.deepStrictEqual(groups.map(({ length }) => length), sizes)
    assert.deepStrictEqual(groups.flat(), Array.from({ length: 100 }, (_, id) => id))
    db.close()
  })
})

describe("the database threads", () => {
  it.effect("answer many writes and long reads concurrently", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const source = yield* newSource
      const ids = Array.from({ length: 200 }, (_, at) => `page-${at}`)
      yield* Effect.forEach(ids, (id) => admit(source, [item(id, id)]), { concurrency: "unbounded" })
      const page = { since: 0, source: null, limit: 1_000 }
      const [absent, present] = yield* Effect.all([
        documents.events(source.workspaceId, { ...page, kind: "absent" }),
        documents.events(source.workspaceId, { ...page, kind: "custom" })
      ], { concurrency: 2 })
      assert.strictEqual(absent.length, 0)
      assert.deepStrictEqual(present.map(({ external_id }) => external_id), ids)
    }).pipe(Effect.provide(Sqlite.layer({ path: newPath() }), { local: true })))

  it.effect("have written everything when they end", () =>
    Effect.gen(function*() {
      const path = newPath()
      const source = yield* Effect.provide(newSource, Sqlite.layer({ path }), { local: true })
      const found = Effect.flatMap(WorkspaceStore, (store) => store.find(source.workspaceId))
      assert.strictEqual((yield* Effect.provide(found, Sqlite.layer({ path }), { local: true }))._tag, "Some")
    }))

  it.effect("release a job to the next process at once if that is alone", () =>
    Effect.gen(function*() {
      const path = newPath()
      const now = new Date()
      const source = yield* Effect.gen(function*() {
        const [source, jobs] = [yield* newSource, yield* JobStore]
        yield* jobs.enqueue(newJob(source.workspaceId), null)
        assert.strictEqual((yield* jobs.claim(["context"], Duration.hours(1), now))._tag, "Some")
        return source
      }).pipe(Effect.provide(Sqlite.layer({ path }), { local: true }))
      const reaped = Effect.flatMap(JobStore, (jobs) => Effect.map(jobs.reap(now), ({ length }) => length))
      assert.strictEqual(yield* Effect.provide(reaped, Sqlite.layer({ path }), { local: true }), 0)
      assert.strictEqual(yield* Effect.provide(reaped, Sqlite.layer({ path, alone: true }), { local: true }), 1)
      assert.isString(source.workspaceId)
    }))

  it.effect("report a bug of this package as a defect, not as unavailable storage", () =>
    Effect.gen(function*() {
      const store = yield* WorkspaceStore
      const [ada, home] = account("a", "home") as unknown as Parameters<typeof store.createAccount>
      yield* store.createAccount(ada, home)
      const exit = yield* Effect.exit(store.createAccount(ada, home))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(Effect.provide(Sqlite.layer({ path: newPath() }), { local: true })))
})

it.effect("a request that was accepted before its workspace was closed stores no rate window", () => {
  const path = newPath()
  return Effect.gen(function*() {
    const [windows, workspaces, { workspaceId }] = [yield* RateWindows, yield* WorkspaceStore, yield* newSource]
    const limit = { limit: 1, window_seconds: 600 }
    yield* windows.take(workspaceId, "search", limit)
    yield* workspaces.close(workspaceId, newJob(workspaceId, { queue: "erase" }))
    yield* workspaces.erase(workspaceId)
    const late = yield* Effect.replicateEffect(windows.take(workspaceId, "ask", limit), 2)
    assert.deepStrictEqual(late, [emptyWindow(limit), emptyWindow(limit)])
    const db = new DatabaseSync(path, { readOnly: true })
    assert.deepStrictEqual(db.prepare("SELECT * FROM rate_windows").all(), [])
    db.close()
  }).pipe(Effect.provide(Sqlite.layer({ path })))
})

it("a file with many free pages shrinks", () => {
  const db = newConnection()
  db.exec("CREATE TABLE ballast (bytes BLOB)")
  db.run("INSERT INTO ballast VALUES (zeroblob(20000000))")
  const pages = () => db.get<{ readonly page_count: number }>("PRAGMA page_count")!.page_count
  const before = pages()
  assert.isFalse(shrink(db))
  db.exec("DROP TABLE ballast")
  let steps = 0
  while (shrink(db)) steps++
  assert.isAbove(steps, 1)
  assert.isBelow(pages(), before / 2)
  db.close()
})

it("a write is in the file as soon as it is acknowledged", () => {
  const path = newPath()
  const db = new SqliteConnection({ path, fsync: true })
  migrate(db)
  commitGroup(db, [{ id: 1, name: "createAccount", args: account("a", "home") }])
  const other = new DatabaseSync(path, { readOnly: true })
  assert.strictEqual(other.prepare("SELECT count(*) AS n FROM accounts").get()?.["n"], 1)
  other.close()
  db.close()
})
