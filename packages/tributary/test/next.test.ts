// docs/examples/next.ts, as docs/mount.md shows it for Next.js.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import * as route from "../../../docs/examples/next.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const example = join(root, "docs/examples/next.ts")

describe("The example for Next.js", () => {
  it("opens one knowledge base for all copies of its module, with the first request", async () => {
    const directory = await mkdtemp(join(tmpdir(), "next-"))
    vi.stubEnv("DATA_DIR", directory)
    vi.stubEnv("BASE_URL", "https://kb.test")
    const page: typeof route = await import(/* @vite-ignore */ `${example}?page`)
    assert.notStrictEqual(page.knowledge, route.knowledge)
    assert.notProperty(globalThis, "knowledge")

    // In use by nobody, but not ours: the first request fails, and a later one opens it.
    const foreign = join(directory, "notes.txt")
    await writeFile(foreign, "")
    const refused = await page.knowledge().then(() => null, String)
    assert.match(refused ?? "", /^OpenError: The data directory /)
    await rm(foreign)

    const { kb } = await page.knowledge()
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await kb.close()
      await rm(directory, { recursive: true })
    })
    const answer = await route.handle(new Request("http://localhost:3000/v1/knowledge/status"))
    assert.strictEqual(answer.status, 401)
    assert.strictEqual((await route.knowledge()).kb, kb)
  })

  it("is what the guide shows", async () => {
    const page = await readFile(join(root, "docs/mount.md"), "utf8")
    assert.include(page, `\`\`\`ts\n${await readFile(example, "utf8")}\`\`\`\n`)
  })
})
