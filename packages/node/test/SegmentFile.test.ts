/** Files of segments that are read while somebody may change or remove them. */
import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@tributary/core/model/Id"
import type { SegmentSource } from "@tributary/core/ports/SegmentCache"
import { Effect } from "effect"
import { mkdtemp, readdir, readlink, rm, truncate, utimes } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { make } from "../src/SegmentFiles.ts"

const workspace = WorkspaceId.make("019a0000-0000-7000-8000-000000000001")

const LARGE = Uint8Array.from({ length: 3_000_001 }, (_, at) => (at * 31) >>> 3)

/** A folder with one large segment, and that segment opened. */
const opened = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "tributary-segments-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const files = make(folder, 1e9)
  yield* files.put(workspace, "large", LARGE)
  const path = join(folder, workspace, "large")
  const source = (yield* files.source(workspace, "large"))!
  return { files, path, source }
})

const read = (source: SegmentSource, from: number, to: number) => {
  const into = new Uint8Array(to - from)
  return source.read(into, from) ? into : null
}

describe("the file of a large segment", () => {
  it.live("is read on demand, whether it was used recently or not", () =>
    Effect.gen(function*() {
      const { files, path, source } = yield* opened
      yield* Effect.promise(() => utimes(path, 0, 0))
      for (const one of [source, (yield* files.source(workspace, "large"))!]) {
        assert.strictEqual(one.byteLength, LARGE.length)
        assert.deepStrictEqual(read(one, 1_234_567, 1_234_800), LARGE.slice(1_234_567, 1_234_800))
        assert.deepStrictEqual(read(one, 2_000_000, LARGE.length), LARGE.slice(2_000_000))
        assert.isNull(read(one, LARGE.length - 1, LARGE.length + 1))
      }
    }).pipe(Effect.scoped))

  it.live("counts as used when it is opened", () =>
    Effect.gen(function*() {
      const { files, path } = yield* opened
      yield* files.put(workspace, "other", LARGE)
      yield* Effect.promise(() => utimes(path, 0, 0))
      yield* Effect.promise(() => utimes(join(path, "..", "other"), 1, 1))
      yield* files.source(workspace, "large")
      yield* make(join(path, "..", ".."), 4_000_000).put(workspace, "third", new Uint8Array(600_000))
      assert.isNotNull(yield* files.source(workspace, "large"))
      assert.isNull(yield* files.source(workspace, "other"))
    }).pipe(Effect.scoped))

  it.live("stays readable while open, even if it was removed or replaced", () =>
    Effect.gen(function*() {
      const { files, source } = yield* opened
      yield* files.put(workspace, "large", new Uint8Array(2_000_000))
      assert.deepStrictEqual(read(source, 10, 20), LARGE.slice(10, 20))
      yield* files.retain(workspace, [])
      assert.isNull(yield* files.source(workspace, "large"))
      assert.deepStrictEqual(read(source, 2_999_000, LARGE.length), LARGE.slice(2_999_000))
    }).pipe(Effect.scoped))

  it.live("reports truncation", () =>
    Effect.gen(function*() {
      const { path, source } = yield* opened
      yield* Effect.promise(() => truncate(path, 1_000_000))
      assert.deepStrictEqual(read(source, 999_990, 1_000_000), LARGE.slice(999_990, 1_000_000))
      assert.isNull(read(source, 999_990, 1_000_001))
    }).pipe(Effect.scoped))

  it.live("is not used if it is small or missing", () =>
    Effect.gen(function*() {
      const { files } = yield* opened
      yield* files.put(workspace, "small", LARGE.subarray(0, 1_000))
      assert.isNull(yield* files.source(workspace, "small"))
      assert.isNull(yield* files.source(workspace, "none"))
    }).pipe(Effect.scoped))

  // Which files a process has open shows nowhere else.
  it.live.skipIf(process.platform !== "linux")(
    "is closed when nobody can read it any more",
    () =>
      Effect.gen(function*() {
        setFlagsFromString("--expose-gc")
        const collect: () => void = runInNewContext("gc")
        const { files, path } = yield* opened
        const isOpen = Effect.promise(async () => {
          const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""))
          return (await Promise.all(links)).includes(path)
        })
        // Node closes what was forgotten, too, but complains.
        const warnings: Array<Error> = []
        const warned = (warning: Error) => {
          if (warning.message.includes("garbage collection")) warnings.push(warning)
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => process.on("warning", warned)),
          () => Effect.sync(() => process.off("warning", warned))
        )
        const held = new Set([yield* files.source(workspace, "large")])
        collect()
        assert.isTrue(yield* isOpen)
        held.clear()
        const collected = Effect.promise(() => new Promise((resolve) => setImmediate(resolve, collect())))
        const isStillOpen = yield* Effect.repeat(Effect.andThen(collected, isOpen), {
          until: (isOpen) => !isOpen,
          times: 100
        })
        assert.isFalse(isStillOpen)
        yield* collected
        assert.deepStrictEqual(warnings, [])
      }).pipe(Effect.scoped)
  )
})
