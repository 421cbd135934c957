/** The first search after an ingest, which indexes the tail. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { median } from "../statistics.ts"
import { Node } from "./Node.ts"
import { CHUNKS, WORDS, Workspace } from "./Workspace.ts"

/** The maximum number of pending chunks. */
const TOTAL_CHUNKS = 5_000

const REQUESTS = 5

/** Documents per request; requests beyond the maximum wait for a refresh. */
const BATCH = 1_000

const ROUNDS = 5

type Act = (workspace: Workspace) => Promise<void>

const CASES: ReadonlyMap<string, Act> = new Map<string, Act>([
  ["nothing new", async () => undefined],
  ["1 document", (workspace) => workspace.add(1)],
  ["100 documents", (workspace) => workspace.add(100)],
  [`${TOTAL_CHUNKS} chunks in ${REQUESTS} requests`, async (workspace) => {
    for (let request = 0; request < REQUESTS; request++) await workspace.add(TOTAL_CHUNKS / CHUNKS / REQUESTS)
  }],
  // The search comes before anything is indexed.
  [`${TOTAL_CHUNKS} chunks in one request`, (workspace) => workspace.add(TOTAL_CHUNKS / CHUNKS)],
  ["10000 documents of a chunk", async (workspace) => {
    for (let sent = 0; sent < 10_000; sent += BATCH) await workspace.add(BATCH, WORDS)
  }]
])

/** Milliseconds of each search right after an ingest. */
const searchesAfter = async (workspace: Workspace, act: Act): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    await workspace.settled()
    await act(workspace)
    times.push(await workspace.search())
  }
  return times
}

const rowsOn = async (name: string, settings: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const node = await Node.start({ TRIBUTARY_DATA_DIR: folder, ...settings })
  try {
    const workspace = await Workspace.open(node)
    for (const act of CASES.values()) await act(workspace)
    const rows: Array<ReadonlyArray<string>> = []
    for (const [what, act] of CASES) {
      const times = await searchesAfter(workspace, act)
      rows.push([name, what, median(times).toFixed(0), Math.max(...times).toFixed(0)])
    }
    return rows
  } finally {
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const benchCatchingUp = async (postgresUrl: string, schema: string): Promise<void> => {
  const databases: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
    ["Postgres", { TRIBUTARY_DATABASE_URL: postgresUrl, TRIBUTARY_DATABASE_SCHEMA: schema }],
    ["SQLite", { TRIBUTARY_STORAGE: "embedded" }],
    ["SQLite, not durable", { TRIBUTARY_STORAGE: "embedded", TRIBUTARY_FSYNC: "false" }]
  ])
  for (const [name, settings] of databases) {
    const head = ["database", "new", "first search, median ms", `slowest of ${ROUNDS}, ms`]
    printTable(head, await rowsOn(name, settings))
  }
}
