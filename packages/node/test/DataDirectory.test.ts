import { spawn } from "node:child_process"
import { once } from "node:events"
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { createServer, Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Deferred, Effect, Layer, Logger } from "effect"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { DataDirectory, DataDirectoryUnusable } from "../src/DataDirectory.ts"
import { nameOfType } from "../src/internal/networkDrive.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-directory-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
const fresh = () => join(root, String(++directories))

const hold = (path: string) => Layer.build(DataDirectory.layer(path))
const failure = (path: string) => Effect.flip(Effect.scoped(hold(path)))
const refusal = (path: string) => Effect.map(failure(path), ({ message }) => message)

const marker = (fields: object) => JSON.stringify({ product: "tributary", format: 2, ...fields })

/** Replaces what reports the type of a file system, also for modules that imported it before. */
const pretend = (statfsSync: typeof fs.statfsSync) => {
  fs.statfsSync = statfsSync
  syncBuiltinESMExports()
}

/** A directory with these files, what is said about it, and what is in it afterwards. */
const refused = (files: Record<string, string>) =>
  Effect.gen(function*() {
    const path = fresh()
    mkdirSync(path)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
    const message = yield* refusal(path)
    expect(Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]))).toEqual(
      files
    )
    expect(message).toContain(path)
    expect(message).toContain("Nothing in it was changed.")
    return message
  })

describe("DataDirectory", () => {
  it.effect("creates a directory, and a socket in it, for its owner only", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = join(fresh(), "deeper")
      yield* hold(path)
      expect(statSync(path).mode & 0o777).toBe(0o700)
      expect(statSync(join(path, "control.sock")).mode & 0o777).toBe(0o600)
    })))

  it.effect("is locked once, by any path, and free again afterwards", () =>
    Effect.gen(function*() {
      const path = fresh()
      const alias = fresh()
      yield* Effect.scoped(Effect.gen(function*() {
        yield* hold(path)
        symlinkSync(path, alias)
        expect(yield* refusal(path)).toContain("is in use by this process already. Stop it first")
        expect(yield* refusal(alias)).toContain("is in use by this process already")
      }))
      yield* Effect.scoped(hold(alias))
    }))

  it.effect("is free again although a client stays connected", () =>
    Effect.gen(function*() {
      const path = fresh()
      const client = new Socket()
      yield* Effect.scoped(Effect.gen(function*() {
        const directory = yield* Effect.map(hold(path), Context.get(DataDirectory))
        const connected = yield* Deferred.make<void>()
        yield* directory.serve(() => Deferred.doneUnsafe(connected, Effect.void))
        client.connect(join(path, "control.sock"))
        yield* Deferred.await(connected)
      }))
      yield* Effect.scoped(hold(path))
      client.destroy()
    }))

  it.effect("is refused if only its control socket answers, as from another container", () =>
    Effect.gen(function*() {
      const path = fresh()
      mkdirSync(path)
      const server = createServer((socket) => socket.resume().end("{\"pid\":4242}\n"))
      yield* Effect.promise(() =>
        new Promise<void>((listening) => server.listen(join(path, "control.sock"), listening))
      )
      expect(yield* refusal(path)).toContain("in use by another process (pid 4242)")
      yield* Effect.promise(() => new Promise((closed) => server.close(closed)))
    }))

  it.effect("takes over what a dead process left behind", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = fresh()
      mkdirSync(path)
      writeFileSync(join(path, "format.json"), marker({}))
      writeFileSync(join(path, "format.json.new"), "half")
      writeFileSync(join(path, "control.sock"), "")
      writeFileSync(join(path, "lock"), "")
      yield* hold(path)
    })))

  it.effect("is unusable without its database, once it has one", () =>
    Effect.gen(function*() {
      const path = fresh()
      const database = join(path, "store.db")
      yield* Effect.scoped(Effect.gen(function*() {
        const held = Context.get(yield* hold(path), DataDirectory)
        writeFileSync(database, "data")
        yield* held.noteDatabase("store.db")
      }))
      yield* Effect.scoped(hold(path))
      const problem = "its database store.db is missing or empty. Put it back with the files beside it"
      writeFileSync(database, "")
      expect(yield* refusal(path)).toContain(problem)
      rmSync(database)
      expect(yield* refusal(path)).toContain(problem)
      expect((yield* Effect.flip(DataDirectory.inspect(path))).message).toContain(problem)
    }))

  it.effect("is not locked by a killed process, but by every live one", () =>
    Effect.gen(function*() {
      const path = fresh()
      const module = new URL("../src/internal/directoryLock.ts", import.meta.url).href
      yield* Effect.scoped(hold(path))
      const child = spawn(process.execPath, [
        "--input-type=module",
        "--eval",
        `import { lockDirectory } from ${JSON.stringify(module)}
        console.log(lockDirectory(${JSON.stringify(path)}) === undefined ? "refused" : "locked")
        setInterval(() => {}, 1_000)`
      ], { stdio: ["ignore", "pipe", "inherit"] })
      const [said] = yield* Effect.promise(() => once(child.stdout, "data"))
      expect(String(said)).toBe("locked\n")
      // It answers at no socket.
      expect(yield* refusal(path)).toContain("is in use by another process. Stop it first")
      child.kill("SIGKILL")
      yield* Effect.promise(() => once(child, "exit"))
      yield* Effect.scoped(hold(path))
    }))

  it("recognizes network drives by their type", () => {
    expect([0x6969, 0xff534d42, -11317950, 0xef53].map(nameOfType)).toEqual(["NFS", "CIFS", "CIFS", undefined])
  })

  it.effect.skipIf(process.platform !== "linux")(
    "is used on a network drive with a warning that names it",
    () =>
      Effect.gen(function*() {
        const warnings: Array<unknown> = []
        const logger = Logger.layer([Logger.make(({ message }) => void warnings.push(message))])
        const { statfsSync } = fs
        yield* Effect.addFinalizer(() => Effect.sync(() => pretend(statfsSync)))
        const held = (path: string) => Effect.scoped(Effect.provide(hold(path), logger))
        yield* held(fresh())
        expect(warnings).toEqual([])
        const path = fresh()
        pretend(((...args: Parameters<typeof statfsSync>) => ({ ...statfsSync(...args), type: 0x6969 })) as never)
        yield* held(path)
        expect(warnings).toEqual([[
          `The data directory ${path} is on a network drive (NFS). Locks there are not reliable: put it on a local disk.`
        ]])
      })
  )

  it.effect("refuses a directory with other files", () =>
    Effect.gen(function*() {
      expect(yield* refused({ "thesis.tex": "precious" })).toContain("it is not empty, and Tributary did not make it")
      expect(yield* refused({ PG_VERSION: "18" })).toContain("Tributary did not make it")
    }))

  it.effect("refuses the directory of a newer release", () =>
    Effect.gen(function*() {
      expect(yield* refused({ "format.json": marker({ format: 3, more: true }) })).toContain(
        "a newer release of Tributary wrote it (format 3; this release knows 2). Start that release"
      )
    }))

  it.effect("refuses the directory of a release with an embedded Postgres, and says how to move", () =>
    Effect.gen(function*() {
      const old = { product: "tributary", format: 1, postgres: 18, state: "ready" }
      expect(yield* refused({ "format.json": JSON.stringify(old) })).toContain(
        "Run \"tributary export FILE\" with that release, and \"tributary import FILE\" with this one"
      )
    }))

  it.effect("refuses a damaged marker", () =>
    Effect.gen(function*() {
      expect(yield* refused({ "format.json": "{\"format\":" })).toContain("it is damaged")
      expect(yield* refused({ "format.json": "{\"name\":\"another product\"}" })).toContain(
        "was not written by Tributary"
      )
    }))

  it.effect.runIf(process.platform === "linux")(
    "refuses a place where no directory can be made",
    () =>
      Effect.gen(function*() {
        for (const path of ["/proc/tributary", "/proc/tributary/below"]) {
          expect(yield* refusal(path)).toContain("ENOENT")
        }
      })
  )

  it.effect("creates the directories above", () =>
    Effect.gen(function*() {
      const path = join(fresh(), "a", "b")
      yield* Effect.scoped(hold(path))
      expect(readdirSync(path)).not.toEqual([])
    }))

  it.effect("refuses a file, a path below a file, and a directory without access", () =>
    Effect.gen(function*() {
      const file = fresh()
      writeFileSync(file, "a file")
      expect(yield* failure(file)).toBeInstanceOf(DataDirectoryUnusable)
      expect(yield* refusal(file)).toContain("it is not a folder")
      expect(yield* refusal(join(file, "below"))).toContain("it is not a folder")
      expect(readFileSync(file, "utf8")).toBe("a file")
      if (process.getuid?.() === 0) return
      const closed = fresh()
      mkdirSync(closed)
      chmodSync(closed, 0)
      expect(yield* refusal(closed)).toContain("this user may not use it")
    }))
})
