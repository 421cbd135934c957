/** Random histories of a service that moves to another store by export and import, while its clients write. */
import { assert, it } from "@effect/vitest"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { rebuildJob } from "@tributary/core/KnowledgeContext"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { JobStore } from "@tributary/core/ports/JobStore"
import { Questions } from "@tributary/core/Questions"
import { Search } from "@tributary/core/Search"
import { Workspaces } from "@tributary/core/Workspaces"
import { Arbitrary, Duration, Effect, Exit, Fiber, Latch, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { extent } from "../../../.ci/extent.ts"
import { node } from "../../core/test/support/connecting.ts"
import { integerBelow } from "../../core/test/support/integerBelow.ts"
import { newMeanwhile } from "../../core/test/support/intercepted.ts"
import { tinySource } from "../../core/test/support/tinySource.ts"
import { gated } from "../../tributary/src/gated.ts"
import * as PostgresExport from "../../postgres/src/StoreExport.ts"
import * as PostgresImport from "../../postgres/src/StoreImport.ts"
import { newSchema, portsIn } from "../../postgres/test/support/database.ts"
import { databaseUrl } from "../../postgres/test/support/testServer.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { exportStore } from "../src/StoreExport.ts"
import { importStore } from "../src/StoreImport.ts"
import { newFolder } from "./support/newFolder.ts"

const PAGE = { cursor: null, limit: 100 }
const NAMES = 6

const Act = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals([
    "write",
    "write",
    "write",
    "write",
    "delete",
    "delete",
    "delete all",
    "ask",
    "ask later",
    "forget",
    "create key",
    "revoke key",
    "create workspace",
    "erase workspace"
  ])),
  at: integerBelow(12),
  names: Arbitrary.array(integerBelow(NAMES), { minLength: 1, maxLength: 4 })
})
type Act = typeof Act extends Arbitrary.Arbitrary<infer A> ? A : never
const Step = Arbitrary.all({
  now: Act,
  move: Arbitrary.schema(Schema.Literals([false, false, true])),
  /** While the export writes its lines, and after how many writes. */
  during: Act,
  writes: integerBelow(20),
  /** How an import ends that comes before the one that is whole. */
  cut: Arbitrary.schema(Schema.Literals(["ends early", "stalls", "lacks a line"])),
  /** Of a hundred parts of the lines. */
  cutAt: integerBelow(100),
  throughPostgres: Arbitrary.schema(Schema.Literals([false, false, false, databaseUrl !== null]))
})
type Step = typeof Step extends Arbitrary.Arbitrary<infer A> ? A : never

/** What is acknowledged of a workspace. */
interface Place {
  readonly workspace: WorkspaceRecord
  readonly connectorId: string
  /** A word of each of its texts. */
  readonly word: string
  /** Whether its connector takes documents. */
  isActive: boolean
  /** By external id. */
  readonly texts: Map<string, string>
  /** The secrets of keys, and whether they are valid. */
  readonly keys: Map<string, { readonly key_id: string; isValid: boolean }>
  /** Asked by jobs. Whether the log has one that was answered in the last second before an export is not promised. */
  readonly jobs: Map<string, { wasAnswered: boolean }>
  readonly forgotten: Set<string>
}

/** The store has done what was asked of it before. */
const caughtUp = Effect.flatMap(JobStore, (jobs) => jobs.claim([], Duration.seconds(1), new Date(0)))

/**
 * As if time had passed until it holds. Each second lasts until the threads of the store have caught up: on a busy
 * machine, a job would otherwise lose its lease before they answer.
 */
const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  TestClock.adjust("1 second").pipe(
    Effect.andThen(Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))),
    Effect.andThen(caughtUp),
    Effect.andThen(holds),
    Effect.repeat({ until: (held) => held, times: 2_000 })
  )

const exported = Effect.fnUntraced(function*(path: string, meanwhile: Effect.Effect<unknown> = Effect.void) {
  const written: Array<string> = []
  yield* exportStore({
    path,
    write: (lines) => Effect.andThen(meanwhile, Effect.sync(() => written.push(lines)))
  })
  return written.join("").trimEnd().split("\n")
})

const given = (lines: ReadonlyArray<string>, isWhole = true) => {
  let at = 0
  const next = () =>
    at < lines.length
      ? Promise.resolve({ done: false as const, value: lines[at++]! })
      : isWhole
      ? Promise.resolve({ done: true as const, value: undefined })
      : new Promise<never>(() => {})
  const iterator = { next, return: () => Promise.resolve({ done: true as const, value: undefined }) }
  return { lines: { [Symbol.asyncIterator]: () => iterator }, buildJob: rebuildJob }
}

const imported = (path: string, lines: ReadonlyArray<string>, isWhole = true) =>
  importStore({ path, ...given(lines, isWhole) })

/** All but the head, which has the time. */
const content = (lines: ReadonlyArray<string>) => lines.slice(1).toSorted()

/** What Postgres exports of what it imported. */
const throughPostgres = (lines: ReadonlyArray<string>) => {
  const schema = newSchema()
  return Effect.gen(function*() {
    const written: Array<string> = []
    yield* PostgresImport.importStore({ schema, ...given(lines) })
    assert.include(
      (yield* Effect.flip(PostgresImport.importStore({ schema, ...given(lines) }))).message,
      "The store is not empty"
    )
    yield* PostgresExport.exportStore({ schema, write: (lines) => Effect.sync(() => written.push(lines)) })
    return written.join("").trimEnd().split("\n")
  }).pipe(Effect.provide(portsIn(schema), { local: true }), TestClock.withLive)
}

const moved = Effect.fnUntraced(function*(lines: ReadonlyArray<string>, { cut, cutAt, ...step }: Step) {
  const path = join(newFolder(), "tributary.db")
  const count = 1 + Math.floor((lines.length - 1) * cutAt / 100)
  switch (cut) {
    case "ends early":
      assert.strictEqual((yield* Effect.flip(imported(path, lines.slice(0, count))))._tag, "ImportRefused")
      break
    case "lacks a line":
      assert.strictEqual((yield* Effect.flip(imported(path, lines.toSpliced(count, 1))))._tag, "ImportRefused")
      break
    case "stalls": {
      const stalled = yield* Effect.forkChild(imported(path, lines.slice(0, count), false), { startImmediately: true })
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
      yield* Fiber.interrupt(stalled)
    }
  }
  yield* imported(path, step.throughPostgres ? yield* throughPostgres(lines) : lines)
  assert.include((yield* Effect.flip(imported(path, lines))).message, "The store is not empty")
  assert.deepStrictEqual(content(yield* exported(path)), content(lines))
  return path
})

/** The tables in which a deleted workspace has left something. */
const remains = (path: string, { workspace_id }: WorkspaceRecord) => {
  const database = new DatabaseSync(path, { readOnly: true })
  const tablesWith = (column: string) =>
    database.prepare(
      "SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = ?"
    ).all(column).map(({ name }) => String(name))
  const holds = (table: string, condition: string, ...values: ReadonlyArray<string>) =>
    database.prepare(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`).get(...values) !== undefined
  try {
    return [
      // The account's log names it, and the job that erased it is kept as long as others.
      ...tablesWith("workspace_id").filter((table) => table !== "audit_log" && table !== "jobs")
        .filter((table) => holds(table, "workspace_id = ?", workspace_id)),
      ...(holds("jobs", "workspace_id = ? AND queue <> 'maintenance'", workspace_id) ? ["jobs"] : []),
      ...tablesWith("document").filter((table) => holds(table, "document NOT IN (SELECT id FROM documents)"))
    ]
  } finally {
    database.close()
  }
}

it.effect.prop(
  "what was acknowledged before an export is in its copy, and nothing else, however often an import was cut short",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 10 })],
  ([steps]) => {
    const meanwhile = newMeanwhile()
    /** Jobs wait until the store is looked at, so that they are moved. */
    const mayWork = Latch.makeUnsafe(false)
    const open = Effect.fnUntraced(function*(path: string) {
      const scope = yield* Scope.make()
      yield* Effect.addFinalizer((exit) => Effect.andThen(mayWork.open, Scope.close(scope, exit)))
      const ports = Layer.provideMerge(gated(mayWork), Layer.fresh(Sqlite.layer({ path })))
      const layer = Layer.provideMerge(node(tinySource()), ports)
      return { path, scope, services: yield* Layer.buildWithScope(layer, scope) }
    })
    return Effect.gen(function*() {
      let server = yield* open(join(newFolder(), "tributary.db"))
      const on = <A, E>(act: Effect.Effect<A, E, Layer.Success<ReturnType<typeof node>> | JobStore>) =>
        Effect.suspend(() => Effect.provideContext(act, server.services))
      let places = new Map<WorkspaceId, Place>()
      const erased: Array<Place> = []
      let written = 0

      const { account_id, personal_workspace } = yield* on(
        Effect.flatMap(Workspaces, (all) => all.createAccount({ name: "Ada", tier: "pro" }))
      )
      const furnish = Effect.fnUntraced(function*(workspace: WorkspaceRecord) {
        const wanted = { name: "Notes", source_name: "notes" }
        const { connector_id } = yield* on(Effect.flatMap(Connectors, (all) => all.create(workspace, wanted, OPERATOR)))
        places.set(workspace.workspace_id, {
          workspace,
          connectorId: connector_id,
          word: `house${written++}x`,
          isActive: true,
          texts: new Map(),
          keys: new Map(),
          jobs: new Map(),
          forgotten: new Set()
        })
      })
      yield* furnish(personal_workspace)

      const run = ({ act, at, names }: Act): Effect.Effect<unknown> =>
        Effect.orDie(Effect.gen(function*() {
          const place = [...places.values()][at % places.size]!
          const { connectorId, forgotten, jobs, keys, texts, word, workspace } = place
          const { workspace_id: id } = workspace
          const externalIds = [...new Set(names)].map((name) => `n${name}`)
          const query = `Where is the lamp of ${word}?`
          switch (act) {
            case "write": {
              if (!place.isActive) {
                const change = { is_active: true }
                yield* on(Effect.flatMap(Connectors, (all) => all.update(workspace, connectorId, change, OPERATOR)))
                place.isActive = true
              }
              const text = `The lamp of ${word} is number ${written++}.`
              const items = externalIds.map((external_id) => ({ external_id, text }))
              yield* on(Effect.flatMap(Ingest, (ingest) => ingest.text(workspace, connectorId, items)))
              for (const name of externalIds) texts.set(name, text)
              return
            }
            case "delete":
              yield* on(Effect.flatMap(Documents, (all) => all.deleteMany(id, connectorId, externalIds)))
              for (const name of externalIds) texts.delete(name)
              return
            case "delete all":
              // Its job may run only after the move.
              yield* on(Effect.flatMap(Connectors, (all) => all.deactivate(workspace, connectorId, true, OPERATOR)))
              place.isActive = false
              return texts.clear()
            case "ask":
              return yield* on(Effect.flatMap(Asks, (asks) => asks.ask(id, { query })))
            case "ask later": {
              const { job_id } = yield* on(Effect.flatMap(Asks, (asks) => asks.askLater(id, { query })))
              return jobs.set(job_id, { wasAnswered: false })
            }
            case "forget": {
              const { items } = yield* on(Effect.flatMap(Questions, (questions) => questions.list(id, null, PAGE)))
              const question = items[at % items.length]
              if (question === undefined) return
              yield* on(Effect.flatMap(Questions, (questions) => questions.remove(id, question.question_id)))
              return forgotten.add(question.question_id)
            }
            case "create key": {
              const { key_id, secret } = yield* on(
                Effect.flatMap(ApiKeys, (all) => all.create(id, { name: "K", scopes: ["api:read"] }, OPERATOR))
              )
              return keys.set(secret, { key_id, isValid: true })
            }
            case "revoke key": {
              const key = [...keys.values()][at % keys.size]
              if (key === undefined) return
              yield* on(Effect.flatMap(ApiKeys, (all) => all.revoke(key.key_id, id, OPERATOR)))
              return key.isValid = false
            }
            case "create workspace":
              if (places.size > 3) return
              return yield* furnish(yield* on(Effect.flatMap(Workspaces, (all) => all.addShared(account_id, "Shared"))))
            case "erase workspace":
              if (workspace.kind === "personal") return
              yield* on(Effect.flatMap(Workspaces, (all) => all.erase(id)))
              erased.push(place)
              return places.delete(id)
          }
        }))

      const unfinished = Effect.gen(function*() {
        const jobs = yield* JobStore
        const left: Array<object> = []
        for (const { workspace: { workspace_id } } of places.values()) {
          for (const queue of ["maintenance", "ask"]) {
            // In one list: between two, a job that runs may begin to wait again, and be in neither.
            const all = yield* jobs.list(workspace_id, queue, { status: null, after: null, limit: 100 })
            left.push(...all.filter(({ finished_at }) => finished_at === null))
          }
        }
        return [...left, ...erased.flatMap(({ workspace }) => remains(server.path, workspace))]
      })

      const check = Effect.gen(function*() {
        yield* mayWork.open
        yield* until(Effect.map(unfinished, (left) => left.length === 0))
        assert.strictEqual(JSON.stringify(yield* unfinished), "[]")
        const documents = yield* Documents
        for (const { jobs, forgotten, keys, texts, workspace: { workspace_id: id } } of places.values()) {
          const { items } = yield* documents.browse(id, {}, "title", PAGE)
          assert.sameMembers(items.map(({ external_id }) => external_id), [...texts.keys()])
          for (const { document_id, external_id } of items) {
            assert.strictEqual((yield* documents.find(id, document_id)).text, texts.get(external_id))
          }
          const { results } = yield* (yield* Search).search(id, { q: "lamp", limit: 50 })
          assert.sameMembers(results.map(({ snippet }) => snippet), [...texts.values()])
          const present = new Set<string>()
          for (
            const event of (yield* documents.events(id, { source: null, kind: null }, { ...PAGE, limit: 500 })).items
          ) {
            assert.strictEqual(present.has(event.document_id), event.type !== "document.created")
            if (event.type === "document.deleted") present.delete(event.document_id)
            else present.add(event.document_id)
          }
          assert.sameMembers([...present], items.map(({ document_id }) => document_id))
          for (const [secret, { isValid }] of keys) {
            assert.strictEqual(yield* Effect.isSuccess((yield* ApiKeys).authenticate(secret)), isValid)
          }
          const questions = (yield* (yield* Questions).list(id, null, PAGE)).items.map(({ question_id }) => question_id)
          assert.strictEqual(new Set(questions).size, questions.length)
          for (const question of questions) assert.isFalse(forgotten.has(question))
          for (const [job, { wasAnswered }] of jobs) {
            const { result } = yield* (yield* Asks).job(id, job, Duration.zero)
            assert.isNotNull(result)
            for (const { entity } of result!.citations) assert.isTrue(present.has(entity.id))
            if (!forgotten.has(job) && !wasAnswered) assert.include(questions, job as never)
          }
        }
        for (const { workspace: { workspace_id } } of erased) {
          assert.isFalse(yield* Effect.isSuccess((yield* Workspaces).find(workspace_id)))
        }
      })

      for (const step of steps) {
        yield* run(step.now)
        if (!step.move) continue
        const [copied, erasedBefore] = [structuredClone(places), erased.length]
        let ended: Exit.Exit<unknown> = Exit.void
        meanwhile.plan(
          step.writes,
          Effect.map(Effect.exit(Effect.suspend(() => run(step.during))), (exit) => ended = exit)
        )
        const lines = yield* exported(server.path, meanwhile.before)
        meanwhile.cancel()
        yield* ended
        for (const { word, workspace: { workspace_id } } of erased.slice(0, erasedBefore)) {
          assert.isFalse(lines.some((line) => line.includes(word)))
          assert.isFalse(
            lines.some((line) => line.includes(`"workspace_id":"${workspace_id}"`) && !line.includes("action"))
          )
        }
        // What waits for the gate holds the server open.
        yield* Effect.andThen(mayWork.open, Scope.close(server.scope, Exit.void))
        places = copied
        for (const { jobs } of places.values()) {
          for (const [job, asked] of jobs) {
            asked.wasAnswered ||= lines.some((line) => line.includes(`"job_id":"${job}"`) && line.includes("succeeded"))
          }
        }
        erased.splice(erasedBefore)
        server = yield* open(yield* moved(lines, step))
        yield* on(check)
        yield* mayWork.close
      }
      yield* on(check)
    }).pipe(Effect.scoped)
  },
  { timeout: 900_000, arbitrary: { runs: extent(3, 100), size: 100, seed: 1 } }
)
