/** The commands of docs/operate/backup.md, run as written: the store is restored to the moment of the backup. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { eventually } from "./faults/support/nodes.ts"
import { startInstalledPostgres } from "./installedPostgres.ts"
import {
  api,
  command,
  COMPILE_CACHE,
  type Environment,
  main,
  type RunningServer,
  startServer
} from "./serverProcess.ts"

const page = readFileSync(fileURLToPath(new URL("../../../docs/operate/backup.md", import.meta.url)), "utf8")

/** The two blocks of commands under a heading: how to back up, and how to restore. */
const commandsUnder = (heading: string): readonly [backUp: string, restore: string] => {
  const section = page.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!
  const blocks = [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!)
  assert.lengthOf(blocks, 2)
  return [blocks[0]!, blocks[1]!]
}

const TEXTS = {
  badge: "The badge of a visitor is blue.",
  garage: "The garage opens at seven.",
  canteen: "The canteen serves lentils on Tuesdays."
}

interface Workspace {
  readonly server: RunningServer
  readonly path: string
}

const push = ({ path, server }: Workspace, texts: Readonly<Record<string, string>>) =>
  api(server, "POST", `${path}/ingest/text`, {
    items: Object.entries(texts).map(([external_id, text]) => ({ external_id, text }))
  })

const configure = async ({ server }: Workspace, days: number): Promise<void> => {
  await api(server, "PATCH", "/v1/knowledge/settings", {
    temporal_settings: { start: { type: "relative", days }, end: null }
  })
  type Status = { readonly up_to_date: boolean; readonly pending_documents: number; readonly state: string }
  await eventually("the context is up to date", async () => {
    const status = await api<Status>(server, "GET", "/v1/knowledge/status")
    return status.up_to_date && status.pending_documents === 0 && status.state === "ready"
  })
}

/** Everything that a workspace's key can read. */
const contents = async ({ path, server }: Workspace) => {
  const get = (path: string) => api<object>(server, "GET", path)
  const { entitlements } = await api<{ readonly entitlements: object }>(server, "GET", "/v1/usage/current")
  return {
    entitlements,
    connectors: await get("/v1/custom-connectors?include_inactive=true"),
    documents: await get(`${path}/documents?limit=100`),
    events: await get("/v1/runtime/events?limit=100"),
    settings: await get("/v1/knowledge/settings"),
    jobs: await get("/v1/knowledge/ask/jobs"),
    found: await api<object>(server, "POST", "/v1/knowledge/search", { q: "visitor badge", include_evidence: true }),
    answer: await api<object>(server, "POST", "/v1/knowledge/ask", { query: "When does the garage open?" })
  }
}

const filled = async (server: RunningServer): Promise<Workspace> => {
  const connector = { name: "Notes", source_name: "notes" }
  const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", connector)
  const workspace = { server, path: `/v1/custom-connectors/${connector_id}` }
  await push(workspace, { ...TEXTS, gone: "To be deleted." })
  await api(server, "DELETE", `${workspace.path}/documents/gone`)
  const { job_id } = await api<{ job_id: string }>(server, "POST", "/v1/knowledge/ask", {
    query: "What does the canteen serve?",
    async: true
  })
  await api(server, "GET", `/v1/knowledge/ask/jobs/${job_id}?wait=30`)
  await configure(workspace, 90)
  return workspace
}

/** Changes after the backup, including a new key. */
const change = async (workspace: Workspace, settings: Environment): Promise<string> => {
  await push(workspace, { garage: "The garage opens at eight.", later: "Umbrellas are at the door." })
  await api(workspace.server, "DELETE", `${workspace.path}/documents/badge`)
  await configure(workspace, 7)
  const { code, stdout } = await command(["keys", "create", "later", "--json"], settings)
  assert.strictEqual(code, 0)
  return (JSON.parse(stdout) as { readonly secret: string }).secret
}

/** The restored store equals the backup, and works. */
const isOfThen = async (workspace: Workspace, then: object, laterKey: string) => {
  assert.deepStrictEqual(await contents(workspace), then)
  const { server } = workspace
  const headers = { authorization: `Bearer ${laterKey}` }
  assert.strictEqual((await fetch(`${server.url}/v1/usage/current`, { headers })).status, 401)
  await push(workspace, { later: "Umbrellas are by the lift." })
  type SearchResponse = { readonly results: ReadonlyArray<{ readonly external_id: string }> }
  const { results } = await api<SearchResponse>(server, "POST", "/v1/knowledge/search", { q: "umbrellas" })
  assert.deepStrictEqual(results.map(({ external_id }) => external_id), ["later"])
}

const installed = extent(false, true) ? await startInstalledPostgres() : null

describe("docs/operate/backup.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-backup-"))
  const servers: Array<RunningServer> = []

  afterAll(async () => {
    for (const { child } of servers) child.kill("SIGKILL")
    await installed?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (settings: Environment, key?: string) => {
    const server = await startServer([], settings, key)
    servers.push(server)
    return server
  }

  const programs = join(folder, "programs")
  mkdirSync(programs)
  writeFileSync(join(programs, "tributary"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 })

  const run = (commands: string, settings: Environment) => {
    const PATH = [programs, installed?.programs, process.env["PATH"]].join(":")
    execFileSync("sh", ["-e", "-c", commands], {
      cwd: folder,
      env: { ...process.env, ...COMPILE_CACHE, PATH, ...settings },
      stdio: "pipe"
    })
  }

  it.skipIf(installed === null)(
    "restores a store on Postgres to the moment of a dump, made while it runs",
    async () => {
      const settings = { TRIBUTARY_DATABASE_URL: installed!.url }
      const [backUp, restore] = commandsUnder("On Postgres")
      const workspace = await filled(await start(settings))
      const then = await contents(workspace)
      run(backUp, settings)
      const laterKey = await change(workspace, settings)
      assert.notDeepEqual(await contents(workspace), then)
      assert.strictEqual(await workspace.server.stop(), 0)
      run(restore, settings)
      const server = await start(settings, workspace.server.key)
      await isOfThen({ ...workspace, server }, then, laterKey)
      assert.strictEqual(await server.stop(), 0)
    }
  )

  it("restores an embedded store to the moment of a backup, made while it runs", async () => {
    const settings = { TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(folder, ".tributary") }
    const [backUp, restore] = commandsUnder("Embedded")
    const first = await filled(await start(settings))
    const then = await contents(first)
    run(backUp, settings)
    const laterKey = await change(first, settings)
    assert.notDeepEqual(await contents(first), then)
    assert.strictEqual(await first.server.stop(), 0)
    run(restore, settings)
    const server = await start(settings, first.server.key)
    await isOfThen({ ...first, server }, then, laterKey)
    assert.strictEqual(await server.stop(), 0)
  })
})
