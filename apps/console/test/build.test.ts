// What a browser loads first stays small.
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const KB = 1_000

describe("The build", () => {
  it("loads less than 200 kB before the first page is there", { timeout: 60_000 }, () => {
    const build = fileURLToPath(new URL("../build.ts", import.meta.url))
    const folder = execFileSync(process.execPath, [build], { encoding: "utf8" }).trim()
    const page = readFileSync(join(folder, "index.html"), "utf8")
    const named = [...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, file]) => file!)
    const files = readdirSync(join(folder, "assets")).filter((file) => /\.(js|css)$/.test(file))
    const [overview] = files.filter((file) => file.startsWith("Overview-"))
    // The first page, with all that it imports.
    const reached = new Set([...named, `assets/${overview}`])
    for (const file of reached) {
      if (!file.endsWith(".js")) continue
      const code = readFileSync(join(folder, file), "utf8")
      for (const [, name] of code.matchAll(/from\s*["']\.\/([^"']+)["']/g)) reached.add(`assets/${name}`)
    }
    const total = [...reached].reduce((sum, file) => sum + statSync(join(folder, `${file}.br`)).size, 0)
    assert.isAbove(reached.size, named.length)
    assert.isBelow(total, 200 * KB)
  })
})
