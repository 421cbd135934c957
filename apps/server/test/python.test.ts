// The program of docs/python.md, run by the machine's Python against the real server.
import { execFile, spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { startServer } from "./serverProcess.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8")

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0

describe("docs/python.md", () => {
  it("has the same example as the guide", async () => {
    const [, program] = /```python\n([^]*?)```\n/.exec(await read("docs/python.md"))!
    assert.strictEqual(program, await read("docs/examples/client.py"))
  })

  it.skipIf(!hasPython)("prints the same: documents pushed, found, asked about, listed and deleted", async () => {
    const [, prints] = /```\n\nIt prints\n\n```\n([^]*?)```\n/.exec(await read("docs/python.md"))!
    const server = await startServer()
    try {
      const { stdout } = await promisify(execFile)("python3", ["-B", join(root, "docs/examples/client.py")], {
        env: { ...process.env, TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key }
      })
      assert.strictEqual(stdout, prints)
    } finally {
      await server.stop()
    }
  })
})
