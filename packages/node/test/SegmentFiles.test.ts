import { assert, it } from "@effect/vitest"
import { segmentCacheContract } from "@tributary/contract/PartsContract"
import { WorkspaceId } from "@tributary/core/model/Id"
import { Effect } from "effect"
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make } from "../src/SegmentFiles.ts"

const workspace = WorkspaceId.make("019a0000-0000-7000-8000-000000000001")

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "tributary-segments-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

it.live("copies of segments are returned unchanged, also to another server on the folder", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const files = make(path, 1_000)
    assert.isNull(yield* files.get(workspace, "a-0"))
    yield* files.put(workspace, "a-0", new Uint8Array([1, 2, 3]))
    assert.deepStrictEqual(yield* make(path, 1_000).get(workspace, "a-0"), new Uint8Array([1, 2, 3]))
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, workspace))), ["a-0"])
  }).pipe(Effect.scoped))

segmentCacheContract("of files", Effect.map(folder, (path) => make(path, 1_000)))

it.live("copies of segments stay within their limit", () =>
  Effect.gen(function*() {
    const files = make(yield* folder, 1_000)
    for (let n = 0; n < 20; n++) yield* files.put(workspace, `${n}`, new Uint8Array(100))
    const kept = yield* Effect.filter(Array.from({ length: 20 }, (_, n) => `${n}`), (id) =>
      Effect.map(files.get(workspace, id), (bytes) => bytes !== null))
    assert.isAtMost(kept.length, 12)
    assert.isAtLeast(kept.length, 8)
    assert.include(kept, "19")
  }).pipe(Effect.scoped))

it.live("copies of segments that were used lately stay longer than older ones", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const files = make(path, 1_000)
    for (const [at, id] of ["used", "unused"].entries()) {
      yield* files.put(workspace, id, new Uint8Array(100))
      yield* Effect.promise(() => utimes(join(path, workspace, id), at, at))
    }
    yield* files.get(workspace, "used")
    yield* files.put(workspace, "large", new Uint8Array(850))
    assert.isNotNull(yield* files.get(workspace, "used"))
    assert.isNull(yield* files.get(workspace, "unused"))
  }).pipe(Effect.scoped))

it.live("copies of segments stay in their workspace's folder, whatever their ids are, and others' folders are left alone", () =>
  Effect.gen(function*() {
    const path = yield* folder
    yield* Effect.promise(() => mkdir(join(path, "other")))
    const files = make(path, 1_000)
    yield* files.put(workspace, "../other/a", new Uint8Array([1]))
    assert.deepStrictEqual(yield* files.get(workspace, "../other/a"), new Uint8Array([1]))
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, "other"))), [])
    assert.deepStrictEqual(yield* files.workspaces, [workspace])
  }).pipe(Effect.scoped))

it.live("copies of segments are optional if the folder cannot be created", () =>
  Effect.gen(function*() {
    const file = join(yield* folder, "file")
    yield* Effect.promise(() => writeFile(file, ""))
    const files = make(file, 1_000)
    yield* files.put(workspace, "a", new Uint8Array([1]))
    yield* files.retain(workspace, ["b"])
    assert.isNull(yield* files.get(workspace, "a"))
    assert.deepStrictEqual(yield* files.workspaces, [])
  }).pipe(Effect.scoped))
