/** Files that change between two syncs, or during one. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { files } from "@tributary/sources/Files"
import { Effect, Stream } from "effect"
import { afterAll, vi } from "vitest"
import { brokenOff, itemOf, outcome, sync } from "./support/collect.ts"
import { run } from "./support/programs.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "tributary-files-")))
afterAll(() => rmSync(root, { recursive: true }))

const provider = files({ roots: [root] })

const folder = (name: string, content: Readonly<Record<string, string>>) => {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  for (const [file, text] of Object.entries(content)) writeFileSync(join(path, file), text)
  return { path }
}

describe("a connected folder", () => {
  it.effect("resumes after the files that were stored before, with those of the sync before", () =>
    Effect.gen(function*() {
      const config = folder("resumed", { "z.txt": "z" })
      const { cursor } = yield* sync(provider, config, "files")
      const names = Array.from({ length: 501 }, (_, at) => `${String(at).padStart(3, "0")}.txt`)
      folder("resumed", Object.fromEntries(names.map((name) => [name, name])))
      const begun = yield* brokenOff(provider, config, "files", cursor)
      const { run: begin, ...state } = JSON.parse(begun.cursor!)
      // As if it had begun long after the files were written.
      const later = JSON.stringify({ ...state, run: { ...begin, started: begin.started + 60_000 } })
      const resumed = yield* sync(provider, config, "files", later)
      assert.deepStrictEqual(resumed.upserts, [`files/${names[500]}`])
    }))

  it.effect("reads again what changed since an interrupted sync began, however long ago that was", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 501 }, (_, at) => `${String(at).padStart(3, "0")}.txt`)
      const config = folder("aged", Object.fromEntries(names.map((name) => [name, name])))
      const begun = yield* brokenOff(provider, config, "files")
      writeFileSync(join(config.path, names[3]!), "changed")
      const now = Date.now()
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now + 3_600_000)
      const resumed = yield* Effect.ensuring(
        sync(provider, config, "files", begun.cursor),
        Effect.sync(() => clock.mockRestore())
      )
      assert.include(resumed.upserts, `files/${names[3]}`)
    }))

  const manyIn = (name: string, first: number) =>
    folder(name, Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${first + at}.txt`, name])))

  it.effect("reads what moved, with its folder, to where an interrupted sync had been", () =>
    Effect.gen(function*() {
      const config = manyIn("moved", 100)
      folder("moved/zone/inner", { "a.txt": "a" })
      const changed = lstatSync(join(config.path, "zone/inner/a.txt")).ctimeMs
      const begun = yield* brokenOff(provider, config, "files")
      // The clock of the file system may be coarse.
      do {
        renameSync(join(config.path, "zone"), join(config.path, "0"))
        renameSync(join(config.path, "0"), join(config.path, "zone"))
      } while (lstatSync(join(config.path, "zone")).ctimeMs <= changed + 1)
      renameSync(join(config.path, "zone"), join(config.path, "0"))
      // As if it had begun after the file was written, and not long before the folder was moved.
      const { run: begin, ...state } = JSON.parse(begun.cursor!)
      const later = JSON.stringify({ ...state, run: { ...begin, started: Math.ceil(changed) + 2_001 } })
      assert.include((yield* sync(provider, config, "files", later)).upserts, "files/0/inner/a.txt")
    }))

  it.effect("starts over when another folder has taken its place since an interrupted sync", () =>
    Effect.gen(function*() {
      const [one, other] = [manyIn("one", 100), manyIn("other", 100)]
      const config = { path: join(root, "current") }
      symlinkSync(one.path, config.path)
      const begun = yield* brokenOff(provider, config, "files")
      rmSync(config.path)
      symlinkSync(other.path, config.path)
      const { run: begin, ...state } = JSON.parse(begun.cursor!)
      const later = JSON.stringify({ ...state, run: { ...begin, started: begin.started + 60_000 } })
      assert.lengthOf((yield* sync(provider, config, "files", later)).upserts, 501)
    }))

  it.effect("gives a file whose time no store can keep the nearest one that it can", () =>
    Effect.gen(function*() {
      const config = folder("timeless", { "a.txt": "a" })
      for (
        const [seconds, expected] of [[1e12, "9999-12-31T23:59:59.999Z"], [-1e12, "0001-01-01T00:00:00.000Z"]] as const
      ) {
        run("touch", ["-d", `@${seconds}`, join(config.path, "a.txt")])
        const outcome = yield* sync(provider, config, "files")
        // Some file systems keep another time.
        const kept = lstatSync(join(config.path, "a.txt")).mtimeMs
        const nearest = Math.abs(kept - seconds * 1_000) < 1 ? expected : new Date(kept).toISOString()
        assert.strictEqual(itemOf(outcome, "files/a.txt")?.timestamp?.toISOString(), nearest)
      }
    }))

  it.effect("returns a file that another one of the same size and time has replaced", () =>
    Effect.gen(function*() {
      const config = folder("disguised", { "a.txt": "a", "b.txt": "b" })
      const path = join(config.path, "a.txt")
      utimesSync(path, 1_500_000_000, 1_500_000_000)
      const { cursor } = yield* sync(provider, config, "files")
      writeFileSync(path, "c")
      utimesSync(path, 1_500_000_000, 1_500_000_000)
      assert.deepStrictEqual((yield* sync(provider, config, "files", cursor)).upserts, ["files/a.txt"])
    }))

  it.effect("does not list a file that is removed before it is read", () =>
    Effect.gen(function*() {
      const config = folder("fleeting", { "a.txt": "a", "b.txt": "b" })
      const steps = provider.sync({ config, resource: "files", cursor: null, since: null }).pipe(
        Stream.tap((step) =>
          Effect.sync(() => step._tag === "Upsert" && rmSync(join(config.path, "b.txt"), { force: true }))
        ),
        Stream.rechunk(1)
      )
      assert.deepStrictEqual(outcome([...yield* Stream.runCollect(steps)]).complete, ["files/a.txt"])
    }))
})
