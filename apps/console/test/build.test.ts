// What a browser loads first stays small.
import { execFileSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const KB = 1_000

describe("The build", () => {
  it("loads less than 130 kB before the first page is there", () => {
    const build = fileURLToPath(new URL("../build.ts", import.meta.url))
    const folder = execFileSync(process.execPath, [build], { encoding: "utf8" }).trim()
    const page = readFileSync(join(folder, "index.html"), "utf8")
    // Signing in and the overview, with all that they import.
    const reached = new Set(["index.html"])
    for (const [, file] of page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)) reached.add(file!)
    let code = ""
    for (const file of reached) {
      if (!file.endsWith(".js")) continue
      const own = readFileSync(join(folder, file), "utf8")
      for (const [, name] of own.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) reached.add(`assets/${name}`)
      code += own
    }
    for (const text of ["How to get a link", "Nothing is stored yet"]) assert.include(code, text)
    for (const [ending, limit] of [["br", 130 * KB], ["gz", 150 * KB]] as const) {
      const total = [...reached].reduce((sum, file) => sum + statSync(join(folder, `${file}.${ending}`)).size, 0)
      assert.isBelow(total, limit, ending)
    }
  })
})
