/** How long the event loop of a host waits for the library that it embeds. */
import { open, type Options, type Workspace } from "@tributary/tributary"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { printTable } from "../print.ts"
import { newTexts } from "./places.ts"

const BATCH = 1_000
const BATCHES = 10
const QUESTIONS = 50

/** Milliseconds; the resolution of the delays. */
const RESOLUTION = 1

/** Milliseconds between two looks at the state. */
const POLL = 50

/** Under other work, ingest may wait longer for a refresh than a request does by default. */
const PATIENT = { timeout: 600_000, retries: { attempts: 50, maximumWait: 300_000 } }

/** The first round compiles the code. */
const ROUNDS = 3

const threadMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

interface Waits {
  /** The longest turn, in milliseconds of processor time. */
  readonly turn: number
  /** The longest delay and the 99th percentile, in milliseconds; other work of the machine counts. */
  readonly delay: number
  readonly delay99: number
}

const watched = async (work: () => Promise<unknown>): Promise<Waits> => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  let longest = 0
  let runs = true
  let before = threadMillis()
  const turn = () => {
    const now = threadMillis()
    longest = Math.max(longest, now - before)
    before = now
    if (runs) setImmediate(turn)
  }
  delays.enable()
  setImmediate(turn)
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  runs = false
  delays.disable()
  const millis = (nanos: number) => Math.max(0, nanos / 1_000_000 - RESOLUTION)
  return { turn: longest, delay: millis(delays.max), delay99: millis(delays.percentile(99)) }
}

const worksOf = (workspace: Workspace, connector: string, texts: ReturnType<typeof newTexts>) => {
  const words = texts.slice(0, QUESTIONS).map(({ text }) => text.split(" ").slice(0, 3).join(" "))
  const each = async (ask: (query: string) => Promise<unknown>) => {
    for (const query of words) await ask(query)
  }
  return new Map<string, () => Promise<unknown>>([
    [`ingest of ${BATCHES} × ${BATCH}`, async () => {
      for (let from = 0; from < texts.length; from += BATCH) {
        await workspace.ingest.text(connector, texts.slice(from, from + BATCH))
      }
    }],
    ["refresh", async () => {
      await workspace.knowledge.refresh()
      while ((await workspace.knowledge.status()).pending_documents > 0) await setTimeout(POLL)
    }],
    [`${QUESTIONS} searches`, () => each((q) => workspace.search({ q }))],
    [`${QUESTIONS} questions`, () => each((query) => workspace.ask({ query }))],
    ["listing to the end", async () => {
      for await (const _ of workspace.documents.list(connector, {}, { limit: 100 })) { /* Only read. */ }
    }]
  ])
}

const rowsOf = async (name: string, options: Options) => {
  await using knowledge = await open({ ...options, logger: false, ...PATIENT })
  const workspace = await knowledge.createWorkspace({ name: "Bench", tier: "pro" })
  const { connector_id } = await workspace.connectors.create({ name: "Bench", source_name: "bench" })
  let rows: ReadonlyArray<ReadonlyArray<string>> = []
  for (let round = 0; round < ROUNDS; round++) {
    rows = []
    for (const [work, run] of worksOf(workspace, connector_id, newTexts(BATCH * BATCHES))) {
      const { delay, delay99, turn } = await watched(run)
      rows = [...rows, [name, work, ...[turn, delay, delay99].map((millis) => millis.toFixed(1))]]
    }
  }
  return rows
}

/** The third of three rounds counts. */
export const benchTurns = async (url: string, schema: string): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  try {
    const rows = [
      ...await rowsOf("memory", { storage: "memory" }),
      ...await rowsOf("embedded", { storage: "embedded", directory }),
      ...await rowsOf("Postgres", { storage: "postgres", url, schema })
    ]
    printTable(["storage", "in process", "longest turn, CPU ms", "longest delay, ms", "p99 of delays, ms"], rows)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
