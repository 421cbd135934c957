import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { files } from "@tributary/sources/Files"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { afterAll } from "vitest"
import { brokenOff, itemOf, sync } from "./support/collect.ts"
import { run } from "./support/programs.ts"

const base = realpathSync(mkdtempSync(join(tmpdir(), "tributary-files-")))
afterAll(() => rmSync(base, { recursive: true }))

const root = join(base, "root")
mkdirSync(root)
writeFileSync(join(base, "secret.txt"), "outside")
const provider = files({ roots: [root] })

const folder = (name: string, content: Readonly<Record<string, string | Uint8Array>>) => {
  const path = join(root, name)
  for (const [file, text] of Object.entries(content)) {
    mkdirSync(join(path, file, ".."), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  return { path }
}

describe("a connected folder", () => {
  it.effect("gives its files, and then exactly what was changed, added, moved and deleted", () =>
    Effect.gen(function*() {
      const config = folder("plain", {
        "a.md": "# A",
        "b.txt": "b",
        "sub/c.txt": "c",
        "sub/d.txt": "d",
        ".hidden": "x",
        "node_modules/m.js": "x"
      })
      assert.deepStrictEqual(yield* provider.resources(config), ["files"])
      const first = yield* sync(provider, config, "files")
      assert.deepStrictEqual(first.upserts, ["files/a.md", "files/b.txt", "files/sub/c.txt", "files/sub/d.txt"])
      assert.deepStrictEqual(first.complete, first.upserts)
      const item = itemOf(first, "files/a.md")!
      assert.isTrue("file" in item && new TextDecoder().decode(item.file.bytes) === "# A")

      assert.deepStrictEqual((yield* sync(provider, config, "files", first.cursor)).upserts, [])

      writeFileSync(join(config.path, "a.md"), "# B")
      writeFileSync(join(config.path, "new.txt"), "new")
      renameSync(join(config.path, "sub"), join(config.path, "moved"))
      rmSync(join(config.path, "b.txt"))
      const second = yield* sync(provider, config, "files", first.cursor)
      assert.deepStrictEqual(second.upserts, ["files/a.md", "files/moved/c.txt", "files/moved/d.txt", "files/new.txt"])
      assert.deepStrictEqual(second.complete, second.upserts)
    }))

  it.effect("goes on from the last checkpoint, and reads again what changed meanwhile", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 1_200 }, (_, at) => `${String(at).padStart(4, "0")}.txt`)
      const config = folder("large", Object.fromEntries(names.map((name) => [name, name])))
      const first = yield* brokenOff(provider, config, "files")
      assert.strictEqual(first.upserts.length, 500)
      assert.isNull(first.complete)
      writeFileSync(join(config.path, names[3]!), "changed")
      const second = yield* sync(provider, config, "files", first.cursor)
      assert.include(second.upserts, `files/${names[3]}`)
      assert.deepStrictEqual(new Set([...first.upserts, ...second.upserts]).size, 1_200)
      assert.strictEqual(second.complete?.length, 1_200)
      assert.deepStrictEqual((yield* sync(provider, config, "files", second.cursor)).upserts, [])
    }))

  it.effect("ignores what its patterns name, and takes back what a pattern takes back", () =>
    Effect.gen(function*() {
      const config = folder("ignoring", { "a.log": "", "b/a.log": "", "b/keep.log": "", "build/x.txt": "", ".env": "" })
      const { upserts } = yield* sync(
        provider,
        { ...config, ignore: ["*.log", "!keep.log", "build/", "!.env"] },
        "files"
      )
      assert.deepStrictEqual(upserts, ["files/.env", "files/b/keep.log"])
    }))

  it.effect("never leaves its root, by links of files and of folders", () =>
    Effect.gen(function*() {
      const config = folder("links", { "a.txt": "a" })
      symlinkSync(join(base, "secret.txt"), join(config.path, "link.txt"))
      symlinkSync(base, join(config.path, "outside"))
      symlinkSync(config.path, join(config.path, "loop"))
      assert.deepStrictEqual((yield* sync(provider, config, "files")).complete, ["files/a.txt"])
    }))

  it.live("never waits on what is no file", () =>
    Effect.gen(function*() {
      const config = folder("pipes", { "a.txt": "a" })
      run("mkfifo", [join(config.path, "pipe.txt")])
      assert.deepStrictEqual((yield* sync(provider, config, "files")).complete, ["files/a.txt"])
    }))

  it.effect("must be within the roots, and says nothing of what is outside them", () =>
    Effect.gen(function*() {
      symlinkSync(base, join(root, "way-out"))
      for (const path of ["/etc", "/nowhere", base, join(root, ".."), `${root}x`, join(root, "way-out"), "relative"]) {
        const failure = yield* Effect.flip(provider.resources({ path }))
        assert.strictEqual(failure._tag, "FatalFailure", path)
        assert.match(failure.message, /not within the folders/)
      }
      const missing = yield* Effect.flip(provider.resources({ path: join(root, "missing") }))
      assert.strictEqual(missing._tag, "SourceGone")
    }))

  it.effect("reaches back as far as it is told, and still lists what lies before", () =>
    Effect.gen(function*() {
      const config = folder("reach", { "a.txt": "a" })
      const { complete, upserts } = yield* sync(provider, config, "files", null, new Date(Date.now() + 60_000))
      assert.deepStrictEqual({ complete, upserts }, { complete: ["files/a.txt"], upserts: [] })
    }))

  it.effect("starts from the beginning with a cursor that it cannot read", () =>
    Effect.gen(function*() {
      const config = folder("cursor", { "a.txt": "a" })
      for (const cursor of ["", "{", "{\"v\":2}", "null"]) {
        assert.deepStrictEqual((yield* sync(provider, config, "files", cursor)).upserts, ["files/a.txt"])
      }
    }))

  it.effect("names what cannot be taken, with names as long as there are", () =>
    Effect.gen(function*() {
      const long = `${"d".repeat(200)}/${"e".repeat(200)}/${"f".repeat(200)}.txt`
      const config = folder("odd", { [long]: "x", "é\u{1f600}.txt": "x", "large.bin": new Uint8Array(33_554_433) })
      const { skipped, upserts } = yield* sync(provider, config, "files")
      assert.deepStrictEqual(skipped, ["files/large.bin"])
      assert.isTrue(upserts.every((id) => id.length <= 512 && id.startsWith("files/")))
      assert.strictEqual(upserts.length, 2)
    }))

  const WATCHES = {
    "watched": provider,
    "looked through now and then": files({ roots: [root], maxFolders: 1, pollMillis: 20 })
  }
  for (const [how, watching] of Object.entries(WATCHES)) {
    it.live(`that is ${how} tells of what is written, added, moved and deleted, also in folders that are new`, () =>
      Effect.gen(function*() {
        const config = folder(`changing ${how}`, { "sub/a.txt": "a", ".git/HEAD": "x" })
        const told = yield* Queue.unbounded<void>()
        const watch = yield* Effect.forkChild(
          Stream.runForEach(watching.changes!(config, "files"), () => Queue.offer(told, undefined))
        )
        yield* Queue.take(told)
        const at = (name: string) => join(config.path, name)
        const write = (name: string) => {
          mkdirSync(join(at(name), ".."), { recursive: true })
          writeFileSync(at(name), name)
        }
        const changes: ReadonlyArray<() => void> = [
          () => write("sub/a.txt"),
          () => write("new/deep/b.txt"),
          () => write("new/deep/c.txt"),
          () => renameSync(at("new"), at("moved")),
          () => write("moved/deep/d.txt"),
          () => rmSync(at("sub"), { recursive: true }),
          () => write("sub/e.txt"),
          () => write("sub/f.txt")
        ]
        for (const change of changes) {
          yield* Queue.clear(told)
          change()
          yield* Queue.take(told)
        }
        yield* Fiber.interrupt(watch)
      }))
  }

  it.live("that goes ends its watch, which nothing else does but who began it", () =>
    Effect.gen(function*() {
      const config = folder("going", { "a.txt": "a" })
      const stands = yield* Deferred.make<void>()
      const watch = yield* Effect.forkChild(
        Stream.runForEach(provider.changes!(config, "files"), () => Deferred.succeed(stands, undefined))
      )
      yield* Deferred.await(stands)
      rmSync(config.path, { recursive: true })
      assert.strictEqual((yield* Effect.flip(Fiber.join(watch)))._tag, "SourceGone")
    }))
})
