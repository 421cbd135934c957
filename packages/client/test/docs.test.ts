// What the guide shows is what the examples are, and they run against the real service.
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { startService } from "./support/service.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8")

describe("docs/client.md", () => {
  it("shows the examples as they are, and what they print", async () => {
    const service = await startService()
    try {
      const { key } = await service.newKey("pro")
      const env = { ...process.env, TRIBUTARY_URL: service.baseUrl, TRIBUTARY_KEY: key }
      const here = new URL("support/resolveFromHere.ts", import.meta.url).href
      const shown = [...(await read("docs/client.md")).matchAll(/```ts\n([^]*?)```\n\nIt prints\n\n```\n([^]*?)```\n/g)]
      const examples = ["client.ts", "client-stream.ts", "client-effect.ts"]
      assert.lengthOf(shown, examples.length)
      for (const [index, example] of examples.entries()) {
        const [, program, prints] = shown[index]!
        assert.strictEqual(program, await read(`docs/examples/${example}`))
        const options = ["--import", here, join(root, "docs/examples", example)]
        const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root, env })
        assert.strictEqual(stdout, prints)
      }
    } finally {
      await service.stop()
    }
  })
})
