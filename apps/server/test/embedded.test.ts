/** The embedded database with the real server: durability, and refused starts. */
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DataDirectory } from "@tributary/node/DataDirectory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { commandHere } from "./commandHere.ts"
import { api, command, type Environment, type RunningServer, startServer, tributary } from "./serverProcess.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-embedded-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const settingsFor = (name: string) => ({ TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(root, name) })

/** A store with empty tables. */
beforeAll(async () => {
  assert.strictEqual((await commandHere(["migrate"], settingsFor("template"))).code, 0)
})

/** The settings of a copy of an empty store. */
const prepared = (name: string) => {
  cpSync(join(root, "template"), join(root, name), { recursive: true })
  return settingsFor(name)
}

const start = async (name: string, key?: string, own: Environment = {}): Promise<RunningServer> => {
  const server = await startServer([], { ...settingsFor(name), ...own }, key)
  onTestFinished(() => void server.child.kill("SIGKILL"))
  return server
}

const pushNotes = async (server: RunningServer, from: number, to: number): Promise<void> => {
  const connectors = await api<Array<{ connector_id: string }>>(server, "GET", "/v1/custom-connectors")
  const { connector_id } = connectors[0] ??
    await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Notes",
      source_name: "notes"
    })
  for (let number = from; number < to; number++) {
    await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, {
      items: [{ external_id: `note-${number}`, text: `Locker ${number} holds the badge of visitor ${number * 7}.` }]
    })
  }
}

const search = async (server: RunningServer, q: string): Promise<ReadonlyArray<string>> => {
  type SearchResponse = { readonly results: ReadonlyArray<{ readonly external_id: string }> }
  const found = await api<SearchResponse>(server, "POST", "/v1/knowledge/search", { q, limit: 1 })
  return found.results.map(({ external_id }) => external_id)
}

const documents = async (server: RunningServer): Promise<number> => {
  const usage = await api<{ entitlements: { documents: { used: number } } }>(server, "GET", "/v1/usage/current")
  return usage.entitlements.documents.used
}

describe("an embedded server", () => {
  it("keeps acknowledged writes through a stop and a kill, and shows the first key once", async () => {
    prepared("kept")
    const first = await start("kept")
    assert.include(first.output.stdout, `storage    embedded: kept in ${join(root, "kept")}`)
    await pushNotes(first, 0, 5)
    assert.strictEqual(await first.stop(), 0)

    const second = await start("kept", first.key)
    assert.include(second.output.stdout, `Tributary listens on ${second.url}\n`)
    assert.include(second.output.stdout, "npm run tributary -- keys create NAME")
    for (const { output, url } of [first, second]) {
      assert.include(output.stdout, `  console    ${url}/console\n`)
      assert.include(output.stdout, "npm run tributary -- console")
    }
    assert.notInclude(second.output.stdout, "pk_live_")
    assert.strictEqual(await documents(second), 5)
    assert.deepStrictEqual(await search(second, "locker 3"), ["note-3"])
    await pushNotes(second, 5, 10)
    const lost = pushNotes(second, 10, 100_000).catch((error: unknown) => error)
    while (await documents(second) < 20);
    second.child.kill("SIGKILL")
    assert.instanceOf(await lost, Error)

    const third = await start("kept", first.key, { TRIBUTARY_BASE_URL: "https://example.com/knowledge" })
    assert.include(third.output.stdout, "  console    https://example.com/knowledge/console\n")
    const kept = await documents(third)
    assert.isAtLeast(kept, 20)
    assert.deepStrictEqual(await search(third, "locker 9"), ["note-9"])
    assert.deepStrictEqual(await search(third, `locker ${kept - 1}`), [`note-${kept - 1}`])
    assert.strictEqual(await third.stop(), 0)

    // No server runs there: the command opens the store itself.
    const { stdout } = await commandHere(["search", "locker", "9", "--json"], settingsFor("kept"))
    assert.include(stdout, "note-9")
  })

  it("refuses a directory in use, and names its server", async () => {
    prepared("held")
    const server = await start("held")
    const { code, stderr, stdout } = await command(["serve"], { ...settingsFor("held"), TRIBUTARY_PORT: "0" })
    assert.strictEqual(code, 1)
    assert.strictEqual(
      stderr.trim().split("\n").at(-1),
      `The data directory ${join(root, "held")} is in use by another process (pid ${server.child.pid}). ` +
        "Stop it first, or choose another data directory."
    )
    assert.strictEqual(stdout, "")
    assert.strictEqual((await fetch(`${server.url}/readyz`)).status, 200)
    // The command needs the server, not the directory.
    assert.strictEqual((await commandHere(["migrate"], settingsFor("held"))).code, 0)
    for (const args of [["status"], ["doctor"], ["backup", join(root, "copy.db")], ["export", join(root, "copy")]]) {
      const missing = await commandHere(args, settingsFor("nowhere"))
      assert.strictEqual(missing.code, 1)
      assert.include(missing.stderr, `There is no data in ${join(root, "nowhere")} yet. Start the server there, `)
    }
    assert.notInclude(readdirSync(root), "nowhere")
    // Only the first bytes of a database that was never finished, and what belongs to a directory without one.
    for (const files of [[], ["encryption.key"], ["format.json", "tributary.db"]]) {
      const path = join(root, "empty")
      mkdirSync(path)
      for (const name of files) {
        writeFileSync(join(path, name), name === "format.json" ? "{\"product\":\"tributary\",\"format\":2}" : "")
      }
      const empty = await commandHere(["backup", join(root, "copy.db")], settingsFor("empty"))
      assert.include(empty.stderr, `There is no data in ${path} yet.`)
      assert.deepStrictEqual(readdirSync(path).sort(), files)
      rmSync(path, { recursive: true })
    }
    assert.isFalse(existsSync(join(root, "copy.db")))
  })

  it("and a command wait for a command that uses the directory, and say so", async () => {
    prepared("short")
    const command = Effect.scoped(Effect.gen(function*() {
      yield* Layer.build(DataDirectory.layer(join(root, "short")))
      const server = tributary(["serve"], { ...settingsFor("short"), TRIBUTARY_PORT: "0" })
      onTestFinished(() => void server.child.kill("SIGKILL"))
      yield* Effect.promise(() => new Promise<void>((resolve) => server.child.stderr!.once("data", () => resolve())))
      return server
    }))
    const server = await Effect.runPromise(command)
    server.child.stdout!.on("data", () => server.output.stdout.includes("listens on") && server.child.kill("SIGTERM"))
    assert.strictEqual(await server.ended, 0)
    assert.include(
      server.output.stderr,
      `Waiting for process ${process.pid} to release the data directory ${join(root, "short")}.`
    )
    assert.include(server.output.stdout, "listens on")

    const listing = await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      yield* Layer.build(DataDirectory.layer(join(root, "short")))
      const run = tributary(["workspaces", "list"], settingsFor("short"))
      yield* Effect.promise(() => new Promise<void>((resolve) => run.child.stderr!.once("data", () => resolve())))
      return run
    })))
    assert.strictEqual(await listing.ended, 0)
    assert.include(listing.output.stderr, `Waiting for process ${process.pid} to release`)
    assert.include(listing.output.stdout, "Personal")
  })

  it("does not lose the first key if the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    onTestFinished(() => void other.close())
    await once(other, "listening")
    const port = String((other.address() as AddressInfo).port)
    const refused = await command(["serve"], { ...prepared("port"), TRIBUTARY_PORT: port })
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, `Port ${port} of 127.0.0.1 is in use`)
    assert.match((await start("port")).output.stdout, /API key {4}pk_live_/)
  })

  it.each<[string, (path: string) => void, string]>([
    ["foreign", (path) => {
      mkdirSync(path)
      writeFileSync(join(path, "thesis.txt"), "mine")
    }, "it is not empty, and Tributary did not make it"],
    ["file", (path) => writeFileSync(path, "mine"), "it is not a folder"],
    ["newer", (path) => {
      mkdirSync(path)
      const marker = { product: "tributary", format: 9 }
      writeFileSync(join(path, "format.json"), JSON.stringify(marker))
    }, "a newer release of Tributary wrote it"],
    ["older", (path) => {
      mkdirSync(path)
      const marker = { product: "tributary", format: 1, postgres: 18, state: "ready" }
      writeFileSync(join(path, "format.json"), JSON.stringify(marker))
      mkdirSync(join(path, "database"))
    }, "an earlier release wrote it, with an embedded Postgres. Run \"tributary export FILE\" with that release"],
    ["broken", (path) => {
      mkdirSync(path)
      writeFileSync(join(path, "format.json"), "{")
    }, "or it is damaged"]
  ])("refuses a %s directory in one sentence and touches nothing", async (name, prepare, problem) => {
    const path = join(root, `state-${name}`)
    prepare(path)
    const before = name === "file" ? [] : readdirSync(path)
    const { code, stderr, stdout } = await commandHere(["serve"], settingsFor(`state-${name}`))
    assert.strictEqual(code, 1)
    assert.include(stderr, `The data directory ${path} cannot be used: `)
    assert.include(stderr, problem)
    assert.strictEqual(stderr.trim().split("\n").length, 1)
    assert.strictEqual(stdout, "")
    assert.deepStrictEqual(name === "file" ? [] : readdirSync(path), before)
  })

  it("refuses a database of a newer release, and a damaged one", async () => {
    prepared("newer-schema")
    const database = new DatabaseSync(join(root, "newer-schema/tributary.db"))
    database.exec("PRAGMA user_version = 99")
    database.close()
    const newer = await commandHere(["serve"], settingsFor("newer-schema"))
    assert.strictEqual(newer.code, 1)
    assert.match(newer.stderr, /its schema has version 99, and this release knows versions up to \d+/)
    prepared("damaged")
    writeFileSync(join(root, "damaged/tributary.db"), "not a database any more")
    const damaged = await commandHere(["serve"], settingsFor("damaged"))
    assert.strictEqual(damaged.code, 1)
    assert.include(damaged.stderr, "it is not a database. Nothing in it was changed.")
    assert.strictEqual(damaged.stderr.trim().split("\n").length, 1)
  })

  it.each([["serve"], ["workspaces", "list"], ["import", "FILE"]])(
    "does not begin empty where its database is lost: %s %s",
    async (...args) => {
      const name = `lost-${args[0]}`
      const settings = prepared(name)
      const file = join(root, `${name}.export`)
      assert.strictEqual((await commandHere(["export", file], settings)).code, 0)
      rmSync(join(root, name, "tributary.db"))
      const before = readdirSync(join(root, name))
      const { code, stderr } = await commandHere(args.map((arg) => arg === "FILE" ? file : arg), settings)
      assert.strictEqual(code, 1)
      assert.strictEqual(
        stderr,
        `The data directory ${join(root, name)} cannot be used: its database tributary.db is missing or empty. ` +
          "Put it back with the files beside it, or restore a backup into a new directory. Nothing in it was changed.\n"
      )
      assert.deepStrictEqual(readdirSync(join(root, name)), before)
    }
  )

  it("is checked by doctor, also while it runs, which names what is damaged", async () => {
    prepared("checked")
    const server = await start("checked")
    await pushNotes(server, 0, 3)
    const sound = await commandHere(["doctor"], settingsFor("checked"))
    assert.deepStrictEqual([sound.code, sound.stderr], [0, ""])
    assert.match(sound.stdout, /^The database in .*checked is sound\.\n$/)
    assert.strictEqual(await server.stop(), 0)
    const path = join(root, "checked/tributary.db")
    const database = new DatabaseSync(path)
    const index = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'documents_by_time'").get()
    database.close()
    const bytes = readFileSync(path)
    const page = 4_096
    writeFileSync(path, bytes.fill(0xff, (Number(index!["rootpage"]) - 1) * page, Number(index!["rootpage"]) * page))
    const damaged = await commandHere(["doctor"], settingsFor("checked"))
    assert.strictEqual(damaged.code, 1)
    assert.match(damaged.stderr, /^The database in .*checked is damaged\. Restore a backup, or export .+\.\n.+/)
    assert.isTrue(readFileSync(path).equals(bytes))
  })

  it("refuses a directory that it may not read", async () => {
    mkdirSync(join(root, "locked"), { mode: 0o000 })
    const run = tributary(["serve"], settingsFor("locked"), { mayReadAll: false })
    assert.strictEqual(await run.ended, 1)
    assert.include(
      run.output.stderr,
      `The data directory ${join(root, "locked")} cannot be used: this user may not use it. `
    )
    assert.strictEqual(run.output.stderr.trim().split("\n").length, 1)
    chmodSync(join(root, "locked"), 0o700)
  })

  it("explains to a command of another user that it may not reach the server", async () => {
    const server = await start("foreign")
    chmodSync(join(root, "foreign/control.sock"), 0o000)
    const status = tributary(["status"], settingsFor("foreign"), { mayReadAll: false })
    assert.strictEqual(await status.ended, 1)
    const directory = join(root, "foreign")
    assert.strictEqual(
      status.output.stderr,
      `This user may not use the data directory ${directory}. Run the command as the user of the server.\n`
    )
    assert.strictEqual(await server.stop(), 0)
  })
})
