// Clients that two generators create from the OpenAPI document, with the real server.
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "vite"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { generateClients, OPENAPI_FETCH, typeChecks } from "../../../.ci/generatedClients.ts"
import { type RunningServer, startServer } from "./serverProcess.ts"

const HEAD = `declare const process: { readonly env: Record<string, string> }
const { SOURCE, TRIBUTARY_URL, TRIBUTARY_KEY } = process.env
const items = [1, 2, 3].map((n) => ({ external_id: \`room-\${n}\`, text: \`Room \${n} has \${n + 300} seats.\` }))
`

/** The same calls with each: push, search, ask, page, delete, and get errors. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "hey-api": `import * as api from "./sdk"
import { client } from "./sdk/client.gen"
${HEAD}
client.setConfig({ baseUrl: TRIBUTARY_URL!, auth: TRIBUTARY_KEY! })
const strict = { throwOnError: true } as const
const connector = await api.createConnector({ ...strict, body: { name: "Rooms", source_name: SOURCE! } })
const path = { connector_id: connector.data.connector_id }
const taken = await api.ingestText({ ...strict, path, body: { items } })
console.log(taken.data.status, taken.data.events)
const found = await api.search({ ...strict, body: { q: "room 2", limit: 1 } })
console.log(found.data.results[0]!.external_id)
const asked = await api.ask({ ...strict, body: { query: "How many seats does room 2 have?" } })
if ("citations" in asked.data) console.log(asked.data.citations[0]!.entity.quote)
const ids: Array<string> = []
for (let cursor: string | null | undefined; cursor !== null;) {
  const page: Awaited<ReturnType<typeof list>> = await list(cursor)
  ids.push(...page.data.documents.map(({ external_id }) => external_id))
  cursor = page.data.next_cursor
}
function list(cursor: string | undefined) {
  return api.listDocuments({ ...strict, path, query: { limit: 2, ...cursor === undefined ? {} : { cursor } } })
}
console.log(ids.sort().join(" "))
await api.deleteConnectorDocument({ ...strict, path: { ...path, external_id: "room-2" } })
const gone = await api.getConnectorDocument({ path: { ...path, external_id: "room-2" } })
if (gone.error && "error_code" in gone.error) console.log(gone.response!.status, gone.error.error_code)
`,
  "openapi-typescript": `import createClient from "openapi-fetch"
import type { paths } from "./types"
${HEAD}
const client = createClient<paths>({
  baseUrl: TRIBUTARY_URL!,
  headers: { authorization: \`Bearer \${TRIBUTARY_KEY}\` }
})
const connector = await client.POST("/v1/custom-connectors", { body: { name: "Rooms", source_name: SOURCE! } })
const path = { connector_id: connector.data!.connector_id }
const taken = await client.POST("/v1/custom-connectors/{connector_id}/ingest/text", { params: { path }, body: { items } })
console.log(taken.data!.status, taken.data!.events)
const found = await client.POST("/v1/knowledge/search", { body: { q: "room 2", limit: 1 } })
console.log(found.data!.results[0]!.external_id)
const asked = await client.POST("/v1/knowledge/ask", { body: { query: "How many seats does room 2 have?" } })
if (typeof asked.data === "object" && "citations" in asked.data) console.log(asked.data.citations[0]!.entity.quote)
const ids: Array<string> = []
for (let cursor: string | null | undefined; cursor !== null;) {
  const page: Awaited<ReturnType<typeof list>> = await list(cursor)
  ids.push(...page.data!.documents.map(({ external_id }) => external_id))
  cursor = page.data!.next_cursor
}
function list(cursor: string | undefined) {
  const query = { limit: 2, ...cursor === undefined ? {} : { cursor } }
  return client.GET("/v1/custom-connectors/{connector_id}/documents", { params: { path, query } })
}
console.log(ids.sort().join(" "))
const document = "/v1/custom-connectors/{connector_id}/documents/{external_id}"
await client.DELETE(document, { params: { path: { ...path, external_id: "room-2" } } })
const gone = await client.GET(document, { params: { path: { ...path, external_id: "room-2" } } })
if (gone.error && "error_code" in gone.error) console.log(gone.response.status, gone.error.error_code)
`
}

const PRINTED = `accepted 3
room-2
Room 2 has 302 seats.
room-1 room-2 room-3
404 document_not_found
`

describe("Clients that are generated from docs/openapi.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-clients-"))
  let server: RunningServer
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  beforeAll(async () => {
    server = await startServer()
    const document = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url))
    await generateClients(readFileSync(document, "utf8"), folder)
    for (const [name, program] of Object.entries(PROGRAMS)) writeFileSync(join(folder, `${name}.ts`), program)
  })

  it("have types for everything that the programs do", () => {
    assert.isTrue(typeChecks(folder))
  })

  it.each(Object.keys(PROGRAMS))("push, find, ask, page, delete and get errors: %s", async (name) => {
    await build({
      configFile: false,
      logLevel: "error",
      resolve: { alias: { "openapi-fetch": `${OPENAPI_FETCH}.mjs` } },
      ssr: { noExternal: true },
      build: { ssr: join(folder, `${name}.ts`), outDir: folder, emptyOutDir: false, target: "esnext" }
    })
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, `${name}.js`)], {
      env: { ...process.env, SOURCE: name, TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key }
    })
    assert.strictEqual(stdout, PRINTED)
  })
})
