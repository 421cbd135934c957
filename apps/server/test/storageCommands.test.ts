/** What commands for a whole store say and leave, where they are called with the wrong file or on an empty store. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { commandHere, outputOf } from "./commandHere.ts"
import { api, type Environment, startServer, tributary } from "./serverProcess.ts"

describe("a command for a whole store", () => {
  const root = mkdtempSync(join(tmpdir(), "tributary-storage-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const at = (name: string) => join(root, name)
  const embedded = (name: string): Environment => ({ TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: at(name) })

  const refused = async (args: ReadonlyArray<string>, settings: Environment) => {
    const { code, stderr, stdout } = await commandHere(args, settings)
    assert.strictEqual(stdout, "")
    assert.strictEqual(code, 1)
    return stderr
  }

  beforeAll(async () => {
    await outputOf(["migrate"], embedded("filled"))
    await outputOf(["workspaces", "create", "Acme", "--new-account"], embedded("filled"))
    await outputOf(["export", at("store.tributary")], embedded("filled"))
    await outputOf(["backup", at("store.db")], embedded("filled"))
  })

  it("leaves an empty store empty, so that it can be filled afterwards", async () => {
    await outputOf(["migrate"], embedded("empty"))
    assert.include(await outputOf(["export", at("nothing.tributary")], embedded("empty")), "Exported 0 workspaces")
    await outputOf(["backup", at("nothing.db")], embedded("empty"))
    await outputOf(["import", at("nothing.tributary")], embedded("empty"))
    assert.strictEqual(await outputOf(["audit", "export"], embedded("empty")), "")
    assert.include(await outputOf(["import", at("store.tributary")], embedded("empty")), "Imported 1 workspace")
  })

  it("says which encryption key a copy needs, without which rewrapping fails", async () => {
    const reachable = { TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "127.0.0.1" }
    const server = await startServer([], { ...embedded("served"), ...reachable })
    onTestFinished(() => void server.child.kill("SIGKILL"))
    await api(server, "POST", "/v1/webhooks", { url: "http://127.0.0.1:9/", event_types: ["document.created"] })
    assert.strictEqual(await server.stop(), 0)
    const key = at("served/encryption.key")
    for (const [command, file] of [["export", at("served.tributary")], ["backup", at("served.db")]] as const) {
      const copied = await outputOf([command, file], embedded("served"))
      assert.include(copied, `Secrets of connections and webhooks need ${key}, too: keep a copy of it elsewhere.`)
    }
    for (const [command, file] of [["import", at("served.tributary")], ["restore", at("served.db")]] as const) {
      const without = `${command}-without`
      const report = await outputOf([command, file], embedded(without))
      assert.include(report, `copy it to ${at(`${without}/encryption.key`)} before a server starts.`)
      const unread = await commandHere(["keys", "rewrap"], embedded(without))
      assert.strictEqual(unread.code, 1)
      assert.include(unread.stderr, "1 can be read with none of the keys")
      mkdirSync(at(command))
      copyFileSync(key, at(`${command}/encryption.key`))
      assert.notInclude(await outputOf([command, file], embedded(command)), "Secrets")
      assert.include(await outputOf(["keys", "rewrap"], embedded(command)), "1 were already")
    }
    assert.notInclude(await outputOf(["import", at("store.tributary")], embedded("no-secrets")), "Secrets")
  })

  it("names the other one for a file of the other kind", async () => {
    assert.strictEqual(
      await refused(["import", at("store.db")], embedded("new")),
      `${at("store.db")}: The file is a backup, not an export: "tributary restore" loads it.\n`
    )
    assert.strictEqual(
      await refused(["restore", at("store.tributary")], embedded("new")),
      `${at("store.tributary")} is an export, not a backup: "tributary import" loads it.\n`
    )
    assert.strictEqual(
      await refused(["restore", at("absent.db")], embedded("new")),
      `${at("absent.db")} cannot be read: it does not exist.\n`
    )
    assert.isFalse(existsSync(at("new")))
  })

  it("says in a line that it may not write to a folder", async () => {
    mkdirSync(at("closed"), { mode: 0o000 })
    for (const name of ["backup", "export"]) {
      const run = tributary([name, at("closed/copy")], embedded("filled"), { mayReadAll: false })
      assert.strictEqual(await run.ended, 1)
      assert.strictEqual(run.output.stderr, `${at("closed/copy")} cannot be written: this user may not use it.\n`)
    }
    chmodSync(at("closed"), 0o700)
  })

  it("says of a file that it cannot write or restore which one it is, and why", async () => {
    symlinkSync(at("to-nothing"), at("link"))
    writeFileSync(at("diary"), "Dear diary")
    for (const command of ["backup", "export"]) {
      assert.strictEqual(
        await refused([command, at("link")], embedded("filled")),
        `${at("link")} is there already. Choose another name, or remove it.\n`
      )
      assert.strictEqual(
        await refused([command, at("no-folder/copy")], embedded("filled")),
        `${at("no-folder/copy")} cannot be written: its folder does not exist.\n`
      )
    }
    assert.strictEqual(
      await refused(["restore", at("diary")], embedded("new")),
      `${at("diary")} cannot be restored: it is not a database. Nothing was restored.\n`
    )
    assert.strictEqual(
      await refused(["restore", at("store.db")], embedded("filled")),
      `${at("store.db")} cannot be restored: there is data in ${
        at("filled")
      } already. Choose a new data directory. Nothing was restored.\n`
    )
    assert.deepStrictEqual(readdirSync(root).filter((name) => name.endsWith(".partial")), [])
  })
})
