/** Moves stores between storages with the real commands: results and refusals. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { verifyExport } from "@tributary/core/transfer/TransferFormat"
import { MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import { readStoreFile } from "../src/commands/transfer/readStoreFile.ts"
import { StoreFile } from "../src/commands/transfer/StoreFile.ts"
import { eventually } from "./faults/support/nodes.ts"
import { commandHere, outputOf } from "./commandHere.ts"
import { api, command, type Environment, IN_MEMORY, type RunningServer, serve, startServer } from "./serverProcess.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-transfer-"))
const schema = `transfer_${crypto.randomUUID().replaceAll("-", "")}`

afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  if (databaseUrl === null) return
  await Effect.runPromise(
    Effect.flatMap(
      PgClient.PgClient,
      (sql) => sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}", "${schema}_column" CASCADE`)
    ).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 }))
    )
  )
})

/** A folder that a connection reads. */
const FOLDER = { TRIBUTARY_FILE_ROOTS: join(root, "connected") }

const embedded = (name: string): Environment => ({
  ...FOLDER,
  TRIBUTARY_STORAGE: "embedded",
  TRIBUTARY_DATA_DIR: join(root, name)
})

const file = join(root, "store.tributary")

const linesOf = (path: string): ReadonlyArray<string> => gunzipSync(readFileSync(path)).toString("utf8").split("\n")

/** Columns that only Postgres has: parts of long payloads, and due times by the database's clock. */
const POSTGRES_ONLY = new Set(["slice", "due_at"])

const normal = (name: string, value: unknown): unknown => {
  if (name === "state") return { ...JSON.parse(String(value)), cursor: null }
  return typeof value === "string" && name.endsWith("_at") || name === "timestamp" ? Date.parse(String(value)) : value
}

/** Every export and every import adds to the log of operators. */
const isOfLog = (line: string): boolean => line.includes("\"operator_log\"") || line.includes("previous_hash")

const contentOf = (path: string): ReadonlyArray<string> => linesOf(path).slice(1, -2).filter((line) => !isOfLog(line))

/** The rows of an export, in an order and a form that do not depend on the storage. */
const rowsOf = (path: string): ReadonlyArray<string> =>
  contentOf(path).map((line) => {
    const { columns: _, ...fields } = JSON.parse(line) as Record<string, unknown>
    const kept = Object.entries(fields).filter(([name]) => !POSTGRES_ONLY.has(name) || "connection_id" in fields)
    return JSON.stringify(kept.map(([name, value]) => [name, normal(name, value)] as const).sort())
  }).sort()

/** Verbatim, as one kind of storage writes them. */
const linesInOrder = (path: string): ReadonlyArray<string> => contentOf(path).toSorted()

interface SearchResponse {
  readonly results: ReadonlyArray<{ readonly external_id: string }>
}

const search = (server: RunningServer) =>
  api<SearchResponse>(server, "POST", "/v1/knowledge/search", { q: "visitor badge", include_evidence: true })

const idsOf = ({ results }: SearchResponse) => results.map(({ external_id }) => external_id)

interface SyncState {
  readonly items_ingested: number
  readonly last_synced_at: string
  readonly updated_at: string
}

/** The view of a workspace's own key once its context is built: until then scores count replaced documents, too. */
const seenBy = async (server: RunningServer) => {
  await eventually("the context is up to date", async () => {
    type Status = { readonly up_to_date: boolean; readonly pending_documents: number; readonly state: string }
    const status = await api<Status>(server, "GET", "/v1/knowledge/status")
    return status.up_to_date && status.pending_documents === 0 && status.state === "ready"
  })
  const get = (path: string) => api<object>(server, "GET", path)
  const [connection] = await api<ReadonlyArray<{ connection_id: string }>>(server, "GET", "/v1/connections")
  const [usage, connectors, events, knowledge, states, found] = await Promise.all([
    api<{ entitlements: object }>(server, "GET", "/v1/usage/current"),
    get("/v1/custom-connectors?include_inactive=true"),
    get("/v1/runtime/events?limit=100"),
    get("/v1/knowledge/settings"),
    api<ReadonlyArray<SyncState>>(server, "GET", `/v1/connections/${connection!.connection_id}/sync`),
    search(server)
  ])
  // A server that starts pulls again what it watches, sooner or later.
  const syncs = states.map(({ items_ingested: _items, last_synced_at: _last, updated_at: _at, ...state }) => state)
  return { entitlements: usage.entitlements, connection, connectors, events, knowledge, syncs, found }
}

/** It takes more than one row of its table. */
const large = "Der Übergang 😀 misst 𝟙𝟚. ".repeat(40_000)

let first: Awaited<ReturnType<typeof seenBy>>
let key: string

beforeAll(async () => {
  mkdirSync(FOLDER.TRIBUTARY_FILE_ROOTS)
  writeFileSync(join(FOLDER.TRIBUTARY_FILE_ROOTS, "door.md"), "The door of the archive is red.")
  const server = await startServer([], embedded("first"))
  key = server.key
  const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
    name: "Notes \u0001 \"quoted\" 😀",
    source_name: "notes",
    metadata: { team: "a\\b\n\t" }
  })
  await api(server, "POST", "/v1/custom-connectors", { name: "Empty", source_name: "empty" })
  const push = (form: string, items: ReadonlyArray<object>) =>
    api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest${form}`, { items })
  await push("/text", [
    { external_id: "badge", text: "The badge of a visitor is blue.", timestamp: "2026-11-01T10:00:00.123+02:00" },
    { external_id: "gone", text: "To be deleted." },
    { external_id: "large", title: "Large", text: large, timestamp: "1999-12-31T23:59:59.999Z" }
  ])
  await push("/text", [{ external_id: "badge", text: "The badge of every visitor is green.\r\n\u2028" }])
  await push("", [{ external_id: "row", data: { room: "Ada", seats: [1234567890.125, 0.1] } }])
  await api(server, "DELETE", `/v1/custom-connectors/${connector_id}/documents/gone`)
  const { connection_id } = await api<{ connection_id: string }>(server, "POST", "/v1/connections", {
    provider: "files",
    name: "Folder",
    config: { path: FOLDER.TRIBUTARY_FILE_ROOTS }
  })
  await eventually("the folder is synced", async () => {
    type State = { readonly status: string }
    const states = await api<ReadonlyArray<State>>(server, "GET", `/v1/connections/${connection_id}/sync`)
    return states.every(({ status }) => status === "completed")
  })
  await api(server, "PATCH", "/v1/knowledge/settings", {
    temporal_settings: { start: { type: "relative", days: 20_000 }, end: { type: "relative", days: 3 } }
  })
  first = await seenBy(server)
  server.child.kill("SIGTERM")
  assert.strictEqual(await server.ended, 0)
  await outputOf(["export", file], embedded("first"))
})

describe("an exported store", () => {
  it("is readable by its owner only, and contains no secret", () => {
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const text = linesOf(file).join("\n")
    assert.notInclude(text, key)
    assert.include(text, "\"table\":\"api_keys\"")
  })

  it("is complete after an import into a directory: keys, usage, events and results", async () => {
    const imported = await command(["import", file, "--json"], embedded("second"))
    assert.strictEqual(imported.code, 0)
    const report = JSON.parse(imported.stdout)
    assert.strictEqual(report.documents, 4)
    await outputOf(["export", join(root, "again")], embedded("second"))
    assert.deepStrictEqual(linesInOrder(join(root, "again")), linesInOrder(file))
    const server = await serve(embedded("second"), key)
    assert.notInclude(server.output.stdout, "pk_live_")
    assert.deepStrictEqual(idsOf(await search(server)), idsOf(first.found))
    assert.deepStrictEqual(await seenBy(server), first)

    // An export needs no stop, an import an empty directory.
    await outputOf(["export", join(root, "beside")], embedded("second"))
    assert.include(linesOf(join(root, "beside")).join(), "The badge of every visitor")
    assert.strictEqual(await server.stop(), 0)
    const full = await commandHere(["import", file], embedded("second"))
    assert.strictEqual(full.code, 1)
    assert.include(full.stderr, "The store is not empty")
  })

  it.skipIf(databaseUrl === null)("moves to Postgres and back without losing a digit, while servers run", async () => {
    const settings = { ...FOLDER, TRIBUTARY_DATABASE_URL: databaseUrl!, TRIBUTARY_DATABASE_SCHEMA: schema }
    await outputOf(["import", file], settings)
    await outputOf(["export", join(root, "from-postgres")], settings)
    assert.deepStrictEqual(rowsOf(join(root, "from-postgres")), rowsOf(file))
    await outputOf(["import", join(root, "from-postgres")], embedded("round"))
    await outputOf(["export", join(root, "round-trip")], embedded("round"))
    assert.deepStrictEqual(linesInOrder(join(root, "round-trip")), linesInOrder(file))
    const server = await serve(settings, key)
    assert.deepStrictEqual(await seenBy(server), first)
    await outputOf(["export", join(root, "under-way")], settings)
    assert.strictEqual(await server.stop(), 0)
    const report = JSON.parse(await outputOf(["import", join(root, "under-way"), "--json"], embedded("back")))
    assert.strictEqual(report.documents, 4)
    await outputOf(["export", join(root, "back-again")], embedded("back"))
    assert.deepStrictEqual(rowsOf(join(root, "back-again")), rowsOf(join(root, "under-way")))
  })
})

/** The export with changed lines and a matching checksum. */
const rewritten = (change: (lines: Array<string>) => void): Buffer => {
  const lines = linesOf(file).slice(0, -2)
  change(lines)
  const text = `${lines.join("\n")}\n`
  return gzipSync(`${text}${JSON.stringify({ sha256: createHash("sha256").update(text).digest("hex") })}\n`)
}

const inHead = (fields: object) =>
  rewritten((lines) => lines[0] = JSON.stringify({ ...JSON.parse(lines[0]!), ...fields }))

describe("an import", () => {
  it.each<[string, () => Buffer | string, string]>([
    ["cut off", () => readFileSync(file).subarray(0, -40), "is damaged or was cut off"],
    ["changed", () => {
      const text = gunzipSync(readFileSync(file)).toString("utf8").replace("blue", "grey").replace("green", "white")
      return gzipSync(text)
    }, "is damaged or was cut off"],
    ["no export", () => "Dear diary", "is not an export of Tributary"],
    [
      "another program's",
      () => rewritten((lines) => lines[0] = "{\"product\":\"diary\"}"),
      "is not an export of Tributary"
    ],
    ["newer", () => inHead({ format: 4 }), "was exported by a newer release (format 4; this release knows 3)"],
    ["short of its last row", () => rewritten((lines) => lines.splice(-1)), "its parts do not fit together"],
    ["short of a row in the midst", () => rewritten((lines) => lines.splice(2, 1)), "its parts do not fit together"]
  ])("finds out a file that is %s", async (name, make, problem) => {
    const path = join(root, `file-${name}`)
    writeFileSync(path, make())
    const refused = verifyExport(readStoreFile(path))
    assert.include((await Effect.runPromise(Effect.flip(refused))).message, problem)
  })

  it("changes nothing if the file is refused", async () => {
    const path = join(root, "half")
    writeFileSync(path, readFileSync(file).subarray(0, 500))
    const { code, stderr, stdout } = await commandHere(["import", path], embedded("untouched"))
    assert.strictEqual(stdout, "")
    assert.strictEqual(stderr, `${path}: The file is damaged or was cut off. Nothing was imported.\n`)
    assert.strictEqual(code, 1)
    assert.isFalse(existsSync(join(root, "untouched")))
  })

  it("leaves a store empty if a row in the middle does not fit", async () => {
    const path = join(root, "file-unfit")
    const unfit = (lines: Array<string>) => {
      const at = lines.findIndex((line) => line.includes("\"fingerprint\""))
      const row = lines.findIndex((line, index) => index > at && line.includes("\"external_id\""))
      lines[row] = lines[row]!.replace(/"size":\d+/, "\"size\":\"many\"")
    }
    writeFileSync(path, rewritten(unfit))
    const refused = await commandHere(["import", path], embedded("unfit"))
    assert.include(refused.stderr, "The file holds what no store has. Nothing was imported.")
    assert.strictEqual(refused.code, 1)
    assert.include(await outputOf(["import", file], embedded("unfit")), "1 workspace, 1 key, 4 documents and ")
  })

  it("refuses an unknown column, on every storage", async () => {
    const path = join(root, "file-column")
    writeFileSync(
      path,
      rewritten((lines) => {
        const at = lines.findIndex((line) => line.includes("\"table\":\"accounts\""))
        lines[at] = lines[at]!.replace("\"name\"", "\"moon_phase\"")
      })
    )
    const stores = [embedded("column")]
    if (databaseUrl !== null) {
      stores.push({ TRIBUTARY_DATABASE_URL: databaseUrl, TRIBUTARY_DATABASE_SCHEMA: `${schema}_column` })
    }
    for (const settings of stores) {
      const { code, stderr } = await commandHere(["import", path], settings)
      assert.include(stderr, "was exported by a newer release (it has accounts.moon_phase)")
      assert.strictEqual(code, 1)
    }
  })

  it("needs a file and a store", async () => {
    const absent = await commandHere(["import", join(root, "absent")], embedded("untouched"))
    assert.strictEqual(absent.code, 1)
    assert.strictEqual(absent.stderr, `${join(root, "absent")} cannot be read: it does not exist.\n`)
    assert.include(
      (await commandHere(["import", FOLDER.TRIBUTARY_FILE_ROOTS], embedded("untouched"))).stderr,
      "it is no file"
    )
    assert.strictEqual((await commandHere(["import", file], IN_MEMORY)).code, 2)
  })
})

describe("an export", () => {
  it("is read again with a long payload, all of it quotes", async () => {
    const path = join(root, "long")
    const row = JSON.stringify({ payload: JSON.stringify("\"".repeat(MAX_UPLOAD_BYTES / extent(32, 2))) })
    const written = new StoreFile(path)
    await written.write(`${row}\n`)
    await written.finish()
    const lengths: Array<number> = []
    for await (const line of readStoreFile(path)) lengths.push(line.length)
    assert.deepStrictEqual(lengths, [row.length])
  })

  it("overwrites no other file, and needs a store", async () => {
    const taken = join(root, "taken")
    appendFileSync(taken, "mine")
    const refused = await commandHere(["export", taken], embedded("first"))
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "is there already")
    assert.strictEqual(readFileSync(taken, "utf8"), "mine")
    const nowhere = await commandHere(["export", join(root, "nothing")], embedded("nowhere"))
    assert.strictEqual(nowhere.code, 1)
    assert.include(nowhere.stderr, "There is no data in")
    assert.isFalse(existsSync(join(root, "nowhere")))
    const unwritable = await commandHere(["export", join(root, "no-folder/file")], embedded("first"))
    assert.strictEqual(unwritable.code, 1)
    assert.strictEqual(
      unwritable.stderr,
      `${join(root, "no-folder/file")} cannot be written: its folder does not exist.\n`
    )
    assert.strictEqual((await commandHere(["export", join(root, "nothing")], IN_MEMORY)).code, 2)
  })
})
