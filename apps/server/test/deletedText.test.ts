/** Deleted text in the index bytes of each kind of storage, and in the files of every server. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Connectors } from "@tributary/core/Connectors"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { OPERATOR } from "@tributary/core/model/Principal"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Search } from "@tributary/core/Search"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Memory from "@tributary/memory/Memory"
import * as Sqlite from "@tributary/sqlite/Sqlite"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describePostgres, newSchema, portsIn } from "../../../packages/postgres/test/support/database.ts"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import { foldedContext } from "./foldedContext.ts"

type Ports = Layer.Success<typeof Memory.layer>

const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content })
})

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "tributary-segments-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A server on the shared store, with a separate folder, until the scope ends. */
const serverOn = Effect.fnUntraced(function*(folder: string) {
  return yield* Layer.build(
    Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(Layer.mergeAll(extractor, SegmentFiles.layer(folder, 1e9))),
      Layer.provide(Layer.succeedContext(yield* Effect.context<Ports>()))
    )
  )
})

/** Unique words with so short common prefixes that the dictionary stores most of them as one string. */
const WORDS = [
  "qvzkwjxhdfgbplmn",
  "bwzqxkjvhgfdplmr",
  "zkqjxwvhbgdfnplm",
  "mxqwzkvjhbfgdlpn",
  "hqjzwxkvbgfdmnpl",
  "wqkzjxvhbgdfnlpm"
]
const HEAD = 8
const DELETED = WORDS[2]!

const holders = (all: ReadonlyArray<Uint8Array>): number =>
  all.filter((bytes) => Buffer.from(bytes).includes(DELETED.slice(HEAD))).length

const inFiles = (folder: string) =>
  Effect.promise(async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = found.filter((entry) => entry.isFile())
    // A file may be removed meanwhile.
    const bytes = files.map(({ name, parentPath }) => readFile(join(parentPath, name)).catch(() => new Uint8Array()))
    return holders(await Promise.all(bytes))
  })

const goneWithinADay = Effect.gen(function*() {
  const store = yield* KnowledgeStore
  const written: Array<string> = []
  const watched = KnowledgeStore.of({
    ...store,
    putSegment: (workspaceId, segmentId, bytes) =>
      Effect.suspend(() => (written.push(segmentId), store.putSegment(workspaceId, segmentId, bytes)))
  })
  const [here, there] = [yield* newFolder, yield* newFolder]
  const server = (folder: string) => Effect.provideService(serverOn(folder), KnowledgeStore, watched)
  const busy = yield* Scope.fork(yield* Effect.scope)
  const [first, second] = yield* Scope.provide(Effect.all([server(here), server(there)]), busy)

  const { personal_workspace } = yield* Context.get(first, Workspaces).createAccount({ name: "Ada", tier: "pro" })
  const id = personal_workspace.workspace_id
  const connectors = Context.get(first, Connectors)
  const { connector_id } = yield* connectors.create(
    personal_workspace,
    { name: "Notes", source_name: "notes" },
    OPERATOR
  )
  const items = WORDS.map((word) => ({ external_id: word, text: `The word is ${word}.` }))
  yield* Context.get(first, Ingest).text(personal_workspace, connector_id, items)
  yield* foldedContext(id)
  yield* Context.get(first, KnowledgeContext).configure(personal_workspace, {
    temporal_settings: { start: null, end: null }
  }, OPERATOR)
  yield* foldedContext(id)
  for (const process of [first, second]) yield* Context.get(process, Search).search(id, { q: DELETED })

  /** All stored bytes. */
  const inStore = Effect.map(
    Effect.forEach(written, (segmentId) => store.getSegment(id, segmentId)),
    (found) => holders(found.flatMap(Option.toArray))
  )
  // A server may have kept the older snapshot's file as well: whether it did depends on when it looked.
  const kept = (folder: string) => Effect.map(inFiles(folder), (count) => count > 0)
  const left = Effect.all({ inStore, here: kept(here), there: kept(there) })
  assert.deepStrictEqual(yield* left, { inStore: 2, here: true, there: true })
  yield* Context.get(first, Documents).deleteByExternalId(id, connector_id, DELETED)
  yield* foldedContext(id)
  // The older snapshot is deleted.
  assert.deepStrictEqual(yield* left, { inStore: 1, here: true, there: true })
  yield* Scope.close(busy, Exit.void)
  yield* TestClock.adjust("23 hours")

  /** Advances time in small steps, so that the storage runs in between. */
  const untilGone = (from: Effect.Effect<number, unknown, Ports>) =>
    TestClock.adjust("50 millis").pipe(
      Effect.andThen(Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
      Effect.andThen(from),
      Effect.repeat({ until: (count) => count === 0 })
    )
  yield* Effect.scoped(Effect.andThen(server(here), untilGone(inStore)))
  yield* Effect.scoped(Effect.andThen(server(here), untilGone(inFiles(here))))
  // The other server gets no searches.
  assert.deepStrictEqual(yield* left, { inStore: 0, here: false, there: true })
  yield* Effect.scoped(Effect.andThen(server(there), untilGone(inFiles(there))))
}).pipe(Effect.scoped)

const TITLE = "a deleted word leaves every segment and every server's files within a day"

it.effect(`${TITLE}: memory`, () => Effect.provide(goneWithinADay, Memory.layer, { local: true }))

it.effect(
  `${TITLE}: embedded`,
  () =>
    Effect.scoped(
      Effect.flatMap(newFolder, (folder) =>
        Effect.provide(goneWithinADay, Sqlite.layer({ path: join(folder, "tributary.db") }), { local: true }))
    )
)

describePostgres("on Postgres", () => {
  it.effect(TITLE, () => Effect.provide(goneWithinADay, portsIn(newSchema()), { local: true }))
})
