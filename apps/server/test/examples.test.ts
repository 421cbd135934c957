import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { printed } from "../../../packages/tributary/test/support/printed.ts"
import { startServer } from "./serverProcess.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const example = (name: string): string => join(root, "docs/examples", name)
const node = (...args: ReadonlyArray<string>) => promisify(execFile)(process.execPath, args, { cwd: root })

describe("docs/examples", () => {
  it("has the embed example as the README shows it, and it prints what the README says", async () => {
    const readme = await readFile(join(root, "README.md"), "utf8")
    const shown = /```ts\n([^]*?)```\n\nIt prints\n\n```\n([^]*?)```/.exec(readme)!
    assert.strictEqual(shown[1], await readFile(example("embed.ts"), "utf8"))
    assert.strictEqual(await printed("embed.ts"), shown[2])
  })

  it("imports a collection, searches it, and gets an answer whose quotes are verbatim", async () => {
    const folder = await mkdtemp(join(tmpdir(), "collection-"))
    const documents = Array.from({ length: 250 }, (_, index) => ({
      id: `note-${index}`,
      title: `Note ${index}`,
      text: `Locker ${index} holds the keys of building ${index * 7}. It is opened on request.`
    }))
    await writeFile(join(folder, "corpus.jsonl"), documents.map((document) => `${JSON.stringify(document)}\n`).join(""))
    const server = await startServer()
    try {
      const question = ["--search", "locker 123", "--ask", "What does locker 123 hold?"]
      const target = ["--url", server.url, "--key", server.key, "--batch", "100"]
      const { stdout } = await node(example("import-collection.ts"), folder, ...target, ...question)
      assert.include(stdout, "pushed 250 documents, 0 rejected")
      assert.match(stdout, /search: locker 123\n +[\d.]+ +note-123 /)
      assert.include(stdout, "Locker 123 holds the keys of building 861.")
      assert.include(stdout, "verbatim: yes")
      assert.notInclude(stdout, "verbatim: NO")
    } finally {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })
})
