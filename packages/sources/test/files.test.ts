import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { open } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@tributary/core/model/Id"
import { MAX_EXTERNAL_ID } from "@tributary/core/model/Ingest"
import { CurrentWorkspace } from "@tributary/core/ports/Provider"
import { files } from "@tributary/sources/Files"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { afterAll } from "vitest"
import { externalId } from "../src/internal/externalId.ts"
import { isOpenAtPath } from "../src/internal/files/isOpenAtPath.ts"
import { readWithin } from "../src/internal/files/readWithin.ts"
import { walk } from "../src/internal/files/walk.ts"
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

describe("a root that is bound to workspaces", () => {
  const workspace = WorkspaceId.make(crypto.randomUUID())
  const other = WorkspaceId.make(crypto.randomUUID())
  const bound = files({ roots: [{ path: root, workspaces: [workspace] }] })

  it.effect("can be read only for those", () =>
    Effect.gen(function*() {
      const config = folder("bound", { "a.md": "# A" })
      const on = (id: WorkspaceId | null) => Effect.provideService(CurrentWorkspace, id)
      assert.deepStrictEqual(yield* on(workspace)(bound.resources(config)), ["files"])
      assert.deepStrictEqual((yield* on(workspace)(sync(bound, config, "files"))).upserts, ["files/a.md"])
      for (const id of [other, null]) {
        for (const refused of [bound.resources(config), Stream.runDrain(bound.changes!(config, ["files"]))]) {
          assert.match((yield* Effect.flip(on(id)(refused))).message, /not within the folders/)
        }
        const failure = yield* Effect.flip(
          on(id)(Stream.runDrain(bound.sync({ config, resource: "files", cursor: null, since: null })))
        )
        assert.match(failure.message, /not within the folders/)
      }
    }))
})

describe("a connected folder", () => {
  it.effect("returns its files, and then exactly the changed, added, moved and deleted ones", () =>
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

  it.effect("resumes from the last checkpoint, and reads again what changed meanwhile", () =>
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

  it.effect("lists its files in the order of their names, however many a folder has", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 200 }, (_, at) => `${at + 100}${at % 70 === 0 ? "/inner" : ""}`)
      const config = folder("ordered", Object.fromEntries(names.map((name) => [name, name])))
      const { steps } = yield* sync(provider, config, "files")
      const upserted = steps.flatMap((step) => step._tag === "Upsert" ? [step.item.external_id] : [])
      assert.deepStrictEqual(upserted, names.map((name) => `files/${name}`))
    }))

  it.effect("ignores files by patterns, with exceptions", () =>
    Effect.gen(function*() {
      const config = folder("ignoring", {
        "a.log": "",
        "b/a.log": "",
        "b/keep.log": "",
        "build/x.txt": "",
        ".env": "",
        "~$plan.docx": ""
      })
      const { upserts } = yield* sync(
        provider,
        { ...config, ignore: ["*.log", "!keep.log", "build/", "!.env"] },
        "files"
      )
      assert.deepStrictEqual(upserts, ["files/.env", "files/b/keep.log"])
    }))

  it.effect("matches ignored names case-sensitively, as git does", () =>
    Effect.gen(function*() {
      const config = folder("cases", { "a.log": "", "A.LOG": "", "build/x.txt": "", "Build/x.txt": "" })
      const { upserts } = yield* sync(provider, { ...config, ignore: ["*.log", "build/"] }, "files")
      assert.deepStrictEqual(upserts, ["files/A.LOG", "files/Build/x.txt"])
    }))

  it.effect("reports names that are not valid text, and accepts odd characters", () =>
    Effect.gen(function*() {
      const config = folder("names", { "new\nline.txt": "x", "\ufffd.txt": "x", "tab\t": "x" })
      for (const name of ["latin\xe9.txt", ".hidden\xe9"]) {
        writeFileSync(Buffer.concat([Buffer.from(`${config.path}/`), Buffer.from(name, "latin1")]), "x")
      }
      mkdirSync(Buffer.concat([Buffer.from(`${config.path}/`), Buffer.from("folder\xe9", "latin1")]))
      const { complete, skipped, upserts } = yield* sync(provider, config, "files")
      assert.deepStrictEqual(skipped, ["files/folder\ufffd", "files/latin\ufffd.txt"])
      assert.deepStrictEqual(upserts, ["files/new\nline.txt", "files/tab\t", "files/\ufffd.txt"])
      assert.deepStrictEqual(complete, [...upserts, ...skipped].sort())
    }))

  it.effect("that disappears during a sync causes no deletions", () =>
    Effect.gen(function*() {
      const config = folder("unmounted", { "a.txt": "a", "b.txt": "b", "c/d.txt": "d" })
      const failure = yield* Effect.flip(Stream.runForEach(
        provider.sync({ config, resource: "files", cursor: null, since: null }),
        (step) => {
          assert.notInclude(["Listed", "Complete"], step._tag)
          return Effect.sync(() => rmSync(config.path, { recursive: true, force: true }))
        }
      ))
      assert.strictEqual(failure._tag, "RetryableFailure")
    }))

  it.effect("is read again where it could not be read, even if nothing changed", () =>
    Effect.gen(function*() {
      const config = folder("unreadable", { "a.txt": "a", "large.bin": new Uint8Array(33_554_433) })
      const first = yield* sync(provider, config, "files")
      const second = yield* sync(provider, config, "files", first.cursor)
      assert.deepStrictEqual([second.upserts, second.skipped], [[], ["files/large.bin"]])
    }))

  it.effect("that could not be read in part is read there when it can be, also after an interruption", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 600 }, (_, at) => `f${String(at).padStart(4, "0")}.txt`)
      const config = folder("closed", Object.fromEntries(names.map((name) => [name, ""])))
      // Paths as long as these are refused by the system: of a file, and of a folder in another one.
      const deep = "d".repeat(250)
      const into = `for at in $(seq 16); do mkdir ${deep} && cd ${deep}; done`
      const last = `echo x > ${"x".repeat(200)}; mkdir ${deep}; cd ${deep}; echo x > x.txt`
      run("bash", ["-c", `${into}; ${last}`], { cwd: config.path })
      const first = yield* brokenOff(provider, config, "files")
      assert.lengthOf(first.skipped, 2)
      renameSync(join(config.path, deep), join(config.path, "d"))
      // Files that changed within the last seconds are read again in any case.
      const later = first.cursor!.replace(/"started":\d+/, `"started":${Date.now() + 60_000}`)
      const second = yield* sync(provider, config, "files", later)
      assert.lengthOf(second.upserts.filter((id) => id.startsWith("files/d/")), 2)
      assert.lengthOf(second.complete ?? [], 602)
    }))

  it.effect("with a part that cannot be read loses what is deleted elsewhere, and nothing of that part", () =>
    Effect.gen(function*() {
      const config = folder("partly", { "a.txt": "a", "b.txt": "b", "c": "c" })
      const deep = "d".repeat(250)
      // The system refuses to read a folder at a path as long as this.
      run("bash", ["-c", `for at in $(seq 17); do mkdir ${deep} && cd ${deep}; done`], { cwd: config.path })
      const first = yield* sync(provider, config, "files")
      assert.deepStrictEqual(first.complete?.filter((id) => id.length < 20), ["files/a.txt", "files/b.txt", "files/c"])
      const [closed = ""] = first.skipped
      const complete = first.steps.find((step) => step._tag === "Complete")
      assert.lengthOf(complete?.unlisted ?? [], 1)
      assert.isTrue(closed.startsWith(complete!.unlisted![0]!.slice(0, 100)))
      assert.isFalse("files/b.txt".startsWith(complete!.unlisted![0]!))
    }))

  it.effect("never leaves its root, by links of files and of folders", () =>
    Effect.gen(function*() {
      const config = folder("links", { "a.txt": "a" })
      symlinkSync(join(base, "secret.txt"), join(config.path, "link.txt"))
      symlinkSync(base, join(config.path, "outside"))
      symlinkSync(config.path, join(config.path, "loop"))
      assert.deepStrictEqual((yield* sync(provider, config, "files")).complete, ["files/a.txt"])
    }))

  it.effect("checks the path of an open file, because the path may have led elsewhere for a moment", () =>
    Effect.promise(async () => {
      const { path } = folder("exchanged", { "real/a.txt": "a" })
      const [real, moved, file] = [join(path, "real"), join(path, "moved"), join(path, "real/a.txt")]
      mkdirSync(join(base, "elsewhere"))
      linkSync(file, join(base, "elsewhere/a.txt"))
      renameSync(real, moved)
      symlinkSync(join(base, "elsewhere"), real)
      await using held = await open(file)
      assert.isFalse(await isOpenAtPath(held, file))
      rmSync(real)
      renameSync(moved, real)
      // The very same file, even, but not that of this path.
      assert.isFalse(await isOpenAtPath(held, file))
      await using own = await open(file)
      assert.isTrue(await isOpenAtPath(own, file))
      await using within = await open(real)
      assert.isTrue(await isOpenAtPath(within, real))
    }))

  it.effect("reads and enters nothing through a link, which a folder may have become since it was seen", () =>
    Effect.promise(async () => {
      const { path } = folder("linked", { "real/sub/a.txt": "a" })
      symlinkSync(join(path, "real"), join(path, "link"))
      symlinkSync(join(path, "real/sub/a.txt"), join(path, "a.txt"))
      for (const name of ["link/sub/a.txt", "a.txt"]) assert.strictEqual(await readWithin(join(path, name)), "absent")
      assert.property(await readWithin(join(path, "real/sub/a.txt")), "bytes")
      const { signal } = new AbortController()
      const walked = async (name: string) => {
        const found = []
        for await (const entry of walk(join(path, name), () => false, signal)) found.push(entry.path)
        return found
      }
      for (const name of ["link", "link/sub"]) assert.deepStrictEqual(await walked(name), [])
      assert.deepStrictEqual(await walked("real"), ["sub/a.txt"])
    }))

  it.live("never blocks on special files", () =>
    Effect.gen(function*() {
      const config = folder("pipes", { "a.txt": "a" })
      const pipe = join(config.path, "pipe.txt")
      run("mkfifo", [pipe])
      assert.deepStrictEqual((yield* sync(provider, config, "files")).complete, ["files/a.txt"])
      // A file may have become one since it was seen.
      assert.strictEqual(yield* Effect.promise(() => readWithin(pipe)), "absent")
    }))

  it.effect("must be within the roots, and reveals nothing outside of them", () =>
    Effect.gen(function*() {
      symlinkSync(base, join(root, "way-out"))
      for (const path of ["/etc", "/nowhere", base, join(root, ".."), `${root}x`, join(root, "way-out"), "relative"]) {
        const failure = yield* Effect.flip(provider.resources({ path }))
        assert.strictEqual(failure._tag, "FatalFailure", path)
        assert.match(failure.message, /not within the folders/)
      }
      const missing = yield* Effect.flip(provider.resources({ path: join(root, "missing") }))
      assert.strictEqual(missing._tag, "SourceGone")
      writeFileSync(join(root, "no-folder"), "text")
      const file = yield* Effect.flip(provider.resources({ path: join(root, "no-folder") }))
      assert.deepInclude(file, { _tag: "FatalFailure", message: `${join(root, "no-folder")} is no folder.` })
    }))

  it.effect("reaches back to the start, and still lists older files", () =>
    Effect.gen(function*() {
      const config = folder("reach", { "a.txt": "a" })
      const { complete, steps, upserts } = yield* sync(provider, config, "files", null, new Date(Date.now() + 60_000))
      assert.deepStrictEqual({ complete, upserts }, { complete: ["files/a.txt"], upserts: [] })
      assert.isTrue(steps.some((step) => step._tag === "Complete" && step.ofAnyAge))
    }))

  it.effect("returns a file that an older one has replaced, also from before the start", () =>
    Effect.gen(function*() {
      const config = folder("restored", { "a.txt": "new", "b.txt": "b" })
      const since = new Date(Date.now() - 60_000)
      const first = yield* sync(provider, config, "files", null, since)
      const path = join(config.path, "a.txt")
      writeFileSync(path, "restored")
      utimesSync(path, 1_500_000_000, 1_500_000_000)
      assert.deepStrictEqual((yield* sync(provider, config, "files", first.cursor, since)).upserts, ["files/a.txt"])
    }))

  it.effect("starts from the beginning with an unreadable cursor", () =>
    Effect.gen(function*() {
      const config = folder("cursor", { "a.txt": "a" })
      for (const cursor of ["", "{", "{\"v\":2}", "null", "{\"v\":1,\"known\":\"AAAA\",\"run\":null}"]) {
        assert.deepStrictEqual((yield* sync(provider, config, "files", cursor)).upserts, ["files/a.txt"])
      }
    }))

  it.effect("reports skipped files, with names of any length", () =>
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
    it.live(`that is ${how} reports written, added, moved and deleted files, also in new folders`, () =>
      Effect.gen(function*() {
        const config = folder(`changing ${how}`, { "sub/a.txt": "a", ".git/HEAD": "x" })
        const changes = yield* Queue.unbounded<string>()
        const watch = yield* Effect.forkChild(
          Stream.runForEach(watching.changes!(config, ["files"]), (resource) => Queue.offer(changes, resource))
        )
        yield* Queue.take(changes)
        const at = (name: string) => join(config.path, name)
        const write = (name: string) => {
          mkdirSync(join(at(name), ".."), { recursive: true })
          writeFileSync(at(name), name)
        }
        const edits: ReadonlyArray<() => void> = [
          () => write("sub/a.txt"),
          () => write("new/deep/b.txt"),
          () => write("new/deep/c.txt"),
          () => renameSync(at("new"), at("moved")),
          () => write("moved/deep/d.txt"),
          () => rmSync(at("sub"), { recursive: true }),
          () => write("sub/e.txt"),
          () => write("sub/f.txt"),
          () => {
            renameSync(config.path, `${config.path} before`)
            mkdirSync(config.path)
          },
          () => write("g.txt"),
          () => write("sub/h.txt")
        ]
        for (const edit of edits) {
          yield* Queue.clear(changes)
          edit()
          yield* Queue.take(changes)
        }
        yield* Fiber.interrupt(watch)
      }))
  }

  it.live("that disappears ends its watch, which otherwise only its caller ends", () =>
    Effect.gen(function*() {
      const config = folder("going", { "a.txt": "a" })
      const isWatching = yield* Deferred.make<void>()
      const watch = yield* Effect.forkChild(
        Stream.runForEach(provider.changes!(config, ["files"]), () => Deferred.succeed(isWatching, undefined))
      )
      yield* Deferred.await(isWatching)
      rmSync(config.path, { recursive: true })
      assert.strictEqual((yield* Effect.flip(Fiber.join(watch)))._tag, "SourceGone")
    }))
})

describe("an external id", () => {
  const room = MAX_EXTERNAL_ID - "files/".length

  it("is the path as far as it fits, and a longer one ends in a digest", () => {
    assert.strictEqual(externalId("files", "a".repeat(room)), `files/${"a".repeat(room)}`)
    const [one, two] = ["b", "c"].map((end) => externalId("files", "a".repeat(room) + end))
    assert.match(one!, /^files\/a+…[0-9a-f]{32}$/)
    assert.isAtMost(one!.length, MAX_EXTERNAL_ID)
    assert.notStrictEqual(one, two)
  })

  it("is valid text, wherever a longer one is cut", () => {
    for (const start of ["", "a"]) assert.isTrue(externalId("files", start + "😀".repeat(room)).isWellFormed())
  })
})
