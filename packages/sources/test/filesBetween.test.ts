/** Files that change between two syncs, or during one. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { files } from "@tributary/sources/Files"
import { Effect, Stream } from "effect"
import { afterAll, vi } from "vitest"
import { brokenOff, outcome, sync } from "./support/collect.ts"

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
      const { run, ...state } = JSON.parse(begun.cursor!)
      // As if it had begun long after the files were written.
      const later = JSON.stringify({ ...state, run: { ...run, started: run.started + 60_000 } })
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
