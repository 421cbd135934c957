import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { partialName, renameNew } from "../src/newFile.ts"

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

describe("the name of a file that is being written", () => {
  it("removes what killed processes left of the same file, and nothing else", () => {
    const folder = mkdtempSync(join(tmpdir(), "tributary-partial-"))
    // No process has the number, which is larger than any system gives.
    const dead = 2 ** 31 - 2
    const kept = [
      `a.${process.ppid}.partial`,
      `b.${dead}.partial`,
      `a.b.${dead}.partial`,
      `a.${dead}.partial.txt`,
      "a.x"
    ]
    const left = [`a.${dead}.partial`, `a.${dead}.partial-journal`, `a.${process.pid}.partial`]
    for (const name of [...kept, ...left]) writeFileSync(join(folder, name), "")
    assert.strictEqual(partialName(join(folder, "a")), join(folder, `a.${process.pid}.partial`))
    assert.deepStrictEqual(readdirSync(folder).sort(), kept.sort())
    rmSync(folder, { recursive: true })
  })

  it("is known for a folder that is not there", () => {
    assert.strictEqual(partialName("/nowhere/a"), `/nowhere/a.${process.pid}.partial`)
  })
})
