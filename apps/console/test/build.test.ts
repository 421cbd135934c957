// What a browser loads stays small: at first, and for each page that is gone to.
import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, onTestFinished } from "vitest"

const KB = 1_000

const build = fileURLToPath(new URL("../build.ts", import.meta.url))
const folder = execFileSync(process.execPath, [build], { encoding: "utf8" }).trim()
const read = (file: string): string => readFileSync(join(folder, file), "utf8")
const sizeOf = (files: Iterable<string>, ending: "br" | "gz"): number =>
  [...files].reduce((sum, file) => sum + statSync(join(folder, `${file}.${ending}`)).size, 0)

/** A file with all that it imports; what is imported on demand is not among them. */
const reachedFrom = (files: Iterable<string>): ReadonlySet<string> => {
  const reached = new Set(files)
  for (const file of reached) {
    if (!file.endsWith(".js")) continue
    for (const [, name] of read(file).matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) reached.add(`assets/${name}`)
  }
  return reached
}

describe("The build", () => {
  // Signing in and the overview.
  const named = [...read("index.html").matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, file]) => file!)
  const first = reachedFrom(["index.html", ...named])

  it("loads less than 130 kB before the first page", () => {
    const code = [...first].filter((file) => file.endsWith(".js")).map(read).join("")
    for (const text of ["How to get a link", "Nothing is stored yet"]) assert.include(code, text)
    for (const [ending, limit] of [["br", 130 * KB], ["gz", 150 * KB]] as const) {
      assert.isBelow(sizeOf(first, ending), limit, ending)
    }
  })

  it("loads less than 60 kB more for any page", () => {
    const pieces = globSync("assets/*.js", { cwd: folder }).filter((file) => !first.has(file))
    assert.isAbove(pieces.length, 20)
    for (const piece of pieces) {
      const own = [...reachedFrom([piece])].filter((file) => !first.has(file))
      assert.isBelow(sizeOf(own, "br"), 60 * KB, piece)
    }
  })

  it("leaves nothing behind when it fails", () => {
    const repository = mkdtempSync(join(tmpdir(), "tributary-build-"))
    onTestFinished(() => rmSync(repository, { recursive: true }))
    const copied = join(repository, "apps/console")
    // After files are written, a folder named like a file cannot be compressed.
    const made = [join(copied, "public/folder.js"), join(repository, "node_modules")]
    for (const folder of made) mkdirSync(folder, { recursive: true })
    writeFileSync(join(copied, "public/folder.js/text"), "")
    cpSync(build, join(copied, "build.ts"))
    writeFileSync(join(copied, "index.html"), "<title>Console</title>")
    symlinkSync(fileURLToPath(new URL("../node_modules/vite", import.meta.url)), join(repository, "node_modules/vite"))
    const { status, stderr } = spawnSync(process.execPath, [join(copied, "build.ts")], { encoding: "utf8" })
    assert.notStrictEqual(status, 0)
    assert.include(stderr, "EISDIR")
    assert.deepStrictEqual(readdirSync(join(repository, "node_modules/.cache/console")), [])
  })
})
