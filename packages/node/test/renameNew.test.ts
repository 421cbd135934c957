import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { renameNew } from "../src/renameNew.ts"

describe("renaming to a new name", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tributary-rename-"))
    writeFileSync(join(folder, "complete"), "all of it")
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it("moves the file", () => {
    renameNew(join(folder, "complete"), join(folder, "named"))
    assert.deepStrictEqual(readdirSync(folder), ["named"])
    assert.strictEqual(readFileSync(join(folder, "named"), "utf8"), "all of it")
  })

  it("leaves both files alone if the name is taken", () => {
    writeFileSync(join(folder, "named"), "mine")
    assert.throws(() => renameNew(join(folder, "complete"), join(folder, "named")), /EEXIST/)
    assert.deepStrictEqual(readdirSync(folder).sort(), ["complete", "named"])
    assert.strictEqual(readFileSync(join(folder, "named"), "utf8"), "mine")
  })

  it("takes no name for a file that is not there", () => {
    assert.throws(() => renameNew(join(folder, "absent"), join(folder, "named")), /ENOENT/)
    assert.deepStrictEqual(readdirSync(folder), ["complete"])
  })
})
