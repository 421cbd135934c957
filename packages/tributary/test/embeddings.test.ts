// From a push to a search by meaning, over every layer there is, with a model behind a port of this machine.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it, vi } from "vitest"
import { startModel } from "../../embeddings/test/support/modelServer.ts"
import { open, type Options, type Workspace } from "../src/open.ts"
import { printed } from "./support/printed.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const directory = mkdtempSync(join(tmpdir(), "tributary-meaning-"))
afterAll(() => rmSync(directory, { recursive: true }))

const UNSEEN = { q: "cyclist" }

const titles = async (workspace: Workspace, mode: "hybrid" | "keyword" | "semantic") =>
  (await workspace.search({ ...UNSEEN, mode })).results.map(({ title }) => title)

const fill = async (workspace: Workspace): Promise<void> => {
  const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
  await workspace.ingest.text(connector_id, [
    { title: "Garage", text: "Bicycles stand in the basement." },
    { title: "Canteen", text: "Lunch is served at noon." }
  ])
}

const embedded = (workspace: Workspace) =>
  vi.waitFor(async () => assert.deepStrictEqual((await workspace.search(UNSEEN)).warnings, []), {
    timeout: 150_000,
    interval: 100
  })

describe("a knowledge base with an embedding model", () => {
  it("finds a document without a word of the question, and relates it to the question", async () => {
    await using model = await startModel()
    await using kb = await open({ storage: "memory", embeddings: { url: model.url, model: "letters", key: "secret" } })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    await fill(workspace)
    await embedded(workspace)
    assert.deepStrictEqual(await titles(workspace, "keyword"), [])
    assert.deepStrictEqual(await titles(workspace, "semantic"), ["Garage", "Canteen"])
    assert.strictEqual((await titles(workspace, "hybrid"))[0], "Garage")
    const { answered, related = [] } = await workspace.ask({ query: UNSEEN.q })
    assert.isFalse(answered)
    assert.strictEqual(related[0]?.entity.quote, "Bicycles stand in the basement.")
    assert.strictEqual(model.asked[0]?.authorization, "Bearer secret")
  })

  it("keeps the vectors, and falls back to keywords without the model", async () => {
    await using model = await startModel()
    const words: Options = { storage: "embedded", directory: join(directory, "kept") }
    const meaning: Options = { ...words, embeddings: { url: model.url, model: "letters", dimensions: 256 } }
    const first = await open(meaning)
    const made = await first.createWorkspace({ name: "Handbook" })
    await fill(made)
    await embedded(made)
    await first.close()
    const texts = () => model.asked.flatMap(({ body }) => body.input).filter((text) => text !== UNSEEN.q)
    const before = texts()
    const second = await open(words)
    assert.deepStrictEqual(await titles(second.workspace(made.id), "hybrid"), [])
    const refused = await titles(second.workspace(made.id), "semantic").catch((error: Error) => error.message)
    assert.match(String(refused), /needs an embedding model/)
    await second.close()
    await using third = await open(meaning)
    assert.strictEqual((await titles(third.workspace(made.id), "hybrid"))[0], "Garage")
    assert.deepStrictEqual(texts(), before)
  })
})

describe("docs/semantic-search.md", () => {
  it("has the same example as the guide, with its output", async () => {
    await using model = await startModel()
    const [, shown] = /```ts\n([^]*?)```/.exec(read("docs/semantic-search.md"))!
    assert.strictEqual(shown, read("docs/examples/semantic-search.ts"))
    assert.strictEqual(await printed("semantic-search.ts", { EMBEDDINGS_URL: model.url }), "Garage\n")
  })
})
