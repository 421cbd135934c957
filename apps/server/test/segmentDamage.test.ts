/** Damaged segment files, and damaged segments in the store. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Search } from "@tributary/core/Search"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Layer, Option } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import { foldedContext } from "./foldedContext.ts"

const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content })
})

/** A process on the shared store and folder. */
const processOn = Effect.fnUntraced(function*(folder: string) {
  const ports = yield* Effect.context<Layer.Success<typeof Memory.layer>>()
  const context = yield* Layer.build(
    Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(Layer.mergeAll(extractor, SegmentFiles.layer(folder, 1e9))),
      Layer.provide(Layer.succeedContext(ports))
    )
  )
  const found = (id: WorkspaceId, q: string) =>
    Effect.map(
      Context.get(context, Search).search(id, { q }),
      ({ results }) => results.map(({ external_id }) => external_id)
    )
  return { context, found }
})

const generationOf = Effect.fnUntraced(function*(id: WorkspaceId) {
  const { generation, snapshot } = yield* (yield* KnowledgeStore).head(id)
  return { wanted: generation, published: snapshot?.generation }
})

/** Unique words, so that few texts make a large segment. */
const textOf = (number: number) => Array.from({ length: 700 }, (_, word) => `rare${number * 700 + word}x`).join(" ")

/** Every page except the header. */
const damaged = (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => at < 5_000 ? byte : byte ^ 1)

it.effect("a damaged file is read from the store again, and a damaged segment in the store is rebuilt", () =>
  Effect.gen(function*() {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "tributary-segments-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const first = yield* processOn(folder)
    const { personal_workspace } = yield* Context.get(first.context, Workspaces).createAccount({
      name: "Ada",
      tier: "pro"
    })
    const id = personal_workspace.workspace_id
    const { connector_id } = yield* Context.get(first.context, Connectors).create(
      personal_workspace,
      { name: "Notes", source_name: "notes" },
      OPERATOR
    )
    const items = Array.from({ length: 200 }, (_, at) => ({ external_id: `note ${at}`, text: textOf(at) }))
    yield* Context.get(first.context, Ingest).text(personal_workspace, connector_id, items)
    yield* foldedContext(id)

    const store = yield* KnowledgeStore
    const segmentId = (yield* store.head(id)).snapshot!.segments[0]!.segment_id
    const path = join(folder, id, segmentId)
    const sound = yield* Effect.promise(() => readFile(path))
    assert.isAbove(sound.length, 1_000_000)
    const before = yield* generationOf(id)

    yield* Effect.promise(() => writeFile(path, damaged(sound)))
    // At its end the process has written the file.
    const second = Effect.scoped(Effect.flatMap(processOn(folder), ({ found }) => found(id, "rare70007x")))
    assert.deepStrictEqual(yield* second, ["note 100"])
    assert.deepStrictEqual(yield* generationOf(id), before)
    assert.isTrue(sound.equals(yield* Effect.promise(() => readFile(path))))

    yield* Effect.promise(() => writeFile(path, damaged(sound)))
    yield* store.putSegment(id, segmentId, damaged(Option.getOrThrow(yield* store.getSegment(id, segmentId))))
    const third = yield* processOn(folder)
    assert.deepStrictEqual(yield* third.found(id, "rare70007x"), ["note 100"])
    assert.strictEqual((yield* generationOf(id)).wanted, before.wanted + 1)
    yield* foldedContext(id)
    assert.deepStrictEqual(yield* generationOf(id), { wanted: before.wanted + 1, published: before.wanted + 1 })
    const last = yield* processOn(folder)
    assert.deepStrictEqual(yield* last.found(id, "rare70007x"), ["note 100"])
    assert.strictEqual((yield* generationOf(id)).wanted, before.wanted + 1)
  }).pipe(Effect.scoped, Effect.provide(Memory.layer, { local: true })))
