/** Real office files, uploaded and from a folder: author and date are stored, searched and quoted. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hasOfficeTools, makeOfficeFiles } from "../../../packages/extract/test/support/officeFiles.ts"
import { temporaryFolder } from "../../../packages/sources/test/support/programs.ts"
import { api, type RunningServer, startServer } from "./serverProcess.ts"

const TIMEOUT = 120_000

/** When the files are ingested, long after they were written. */
const CHANGED = "2026-02-03T04:05:06.000Z"

interface SearchResponse {
  readonly external_id: string
  readonly snippet: string
  readonly metadata: Readonly<Record<string, string>>
  readonly timestamp: string
}

describe.skipIf(!hasOfficeTools)("author and date of a real office file", () => {
  const root = temporaryFolder()
  const folder = join(root, "office")
  let server: RunningServer

  const search = (body: object) =>
    api<{ readonly results: ReadonlyArray<SearchResponse> }>(server, "POST", "/v1/knowledge/search", body)
      .then(({ results }) => results.toSorted((left, right) => left.external_id < right.external_id ? -1 : 1))

  const upload = async (connector: string, name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append("file", new File([bytes], name))
    form.append("external_id", name)
    const answer = await fetch(`${server.url}/v1/custom-connectors/${connector}/ingest/typed/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}` },
      body: form
    })
    assert.strictEqual(answer.status, 200, await answer.text())
  }

  /** Polls until it is true. */
  const until = async <A>(path: string, holds: (found: A) => boolean) => {
    while (!holds(await api<A>(server, "GET", path)));
  }

  beforeAll(async () => {
    server = await startServer([], { TRIBUTARY_FILE_ROOTS: root })
    const { docx, pdf } = makeOfficeFiles()
    const { connector_id } = await api<{ readonly connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Office",
      source_name: "office"
    })
    mkdirSync(folder)
    for (const [name, bytes] of [["a.docx", docx], ["a.pdf", pdf]] as const) {
      await upload(connector_id, name, bytes)
      writeFileSync(join(folder, name), bytes)
      utimesSync(join(folder, name), new Date(CHANGED), new Date(CHANGED))
    }
    const { connection_id } = await api<{ readonly connection_id: string }>(server, "POST", "/v1/connections", {
      provider: "files",
      name: "Office",
      config: { path: folder }
    })
    const isSynced = ([state]: ReadonlyArray<{ readonly status: string }>) => state?.status === "completed"
    await until(`/v1/connections/${connection_id}/sync`, isSynced)
    const isIndexed = (status: { readonly state: string; readonly pending_documents: number }) =>
      status.state === "ready" && status.pending_documents === 0
    await until("/v1/knowledge/status", isIndexed)
  }, TIMEOUT)

  afterAll(async () => {
    await server?.stop()
    rmSync(root, { recursive: true })
  }, TIMEOUT)

  it("are in its metadata, and can be searched", async () => {
    const found = await search({ q: "lifeboat radio", metadata: { author: "Ada Example" } })
    assert.deepStrictEqual(found.map(({ external_id }) => external_id), [
      "a.docx",
      "a.pdf",
      "files/a.docx",
      "files/a.pdf"
    ])
    for (const { external_id, metadata } of found) {
      assert.strictEqual(metadata["author"], "Ada Example")
      assert.match(metadata["date"]!, external_id.endsWith("docx") ? /^2025-03-04T/ : /^20\d\d-/)
    }
  })

  it("do not change its timestamp", async () => {
    const found = await search({ q: "lifeboat radio", sources: ["files"] })
    assert.deepStrictEqual(found.map(({ timestamp }) => timestamp), [CHANGED, CHANGED])
  })

  it("can be searched, and quoted in an answer", async () => {
    const found = await search({ q: "handbook by Ada Example" })
    assert.strictEqual(found.length, 4)
    for (const { snippet } of found) assert.include(snippet, "Author: Ada Example")
    const { citations, response } = await api<{
      readonly response: string
      readonly citations: ReadonlyArray<{ readonly entity: { readonly quote: string } }>
    }>(server, "POST", "/v1/knowledge/ask", { query: "Who is the author of the handbook of the rescue service?" })
    assert.include(response, "Ada Example")
    assert.isTrue(citations.some(({ entity }) => entity.quote.includes("Ada Example")))
  })
})
