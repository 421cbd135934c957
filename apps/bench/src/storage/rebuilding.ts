/** Building the context of a large workspace anew on a server, and what its searches take meanwhile. */
import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { randomFrom, randomText } from "../texts.ts"
import { liftLimits } from "./databases.ts"
import { Node } from "./Node.ts"

const DOCUMENTS = 1_000
const BATCH = 250

/** About ten chunks each. */
const WORDS = 1_600

const SEARCHES = 200

/** Milliseconds between searches: a rebuild is to have the processor, too. */
const PAUSE = 10

const paused = () => new Promise((resolve) => setTimeout(resolve, PAUSE))

interface Status {
  readonly state: string
  readonly pending_documents: number
}

const statusOf = (node: Node, key: string) => node.request(key, "GET", "/v1/knowledge/status") as Promise<Status>

const isSettled = ({ pending_documents, state }: Status): boolean => state === "ready" && pending_documents === 0

const fill = async (node: Node, key: string): Promise<void> => {
  const random = randomFrom(23)
  const { connector_id } = await node.request(key, "POST", "/v1/custom-connectors", {
    name: "Bench",
    source_name: "bench"
  }) as { readonly connector_id: string }
  for (let at = 0; at < DOCUMENTS; at += BATCH) {
    const items = Array.from({ length: BATCH }, (_, index) => ({
      external_id: `text-${at + index}`,
      text: randomText(random, WORDS)
    }))
    await node.request(key, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, { items })
  }
  while (!isSettled(await statusOf(node, key))) await paused()
}

/** Milliseconds that each search took, one after the other, for as long as is asked. */
const searchTimes = async (node: Node, key: string, goesOn: (done: number) => Promise<boolean> | boolean) => {
  const random = randomFrom(29)
  const times: Array<number> = []
  while (await goesOn(times.length)) {
    const began = performance.now()
    await node.request(key, "POST", "/v1/knowledge/search", { q: randomText(random, 3) })
    times.push(performance.now() - began)
    await paused()
  }
  return times.sort((left, right) => left - right)
}

const share = (sorted: ReadonlyArray<number>, part: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(0)

export const benchRebuilding = async (postgresUrl: string, schema: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const node = await Node.start({
    TRIBUTARY_DATABASE_URL: postgresUrl,
    TRIBUTARY_DATABASE_SCHEMA: schema,
    TRIBUTARY_DATA_DIR: folder
  })
  try {
    const key = node.key!
    await Effect.runPromise(liftLimits(postgresUrl, schema))
    await fill(node, key)
    await searchTimes(node, key, (done) => done < SEARCHES)
    const idle = await searchTimes(node, key, (done) => done < SEARCHES)
    const rebuild = () =>
      node.request(key, "PATCH", "/v1/knowledge/settings", { temporal_settings: { start: null, end: null } })
    const untilSettled = async () => !isSettled(await statusOf(node, key))
    const began = performance.now()
    await rebuild()
    while (await untilSettled()) await paused()
    const seconds = (performance.now() - began) / 1_000
    await rebuild()
    const meanwhile = await searchTimes(node, key, untilSettled)
    printTable(
      [
        "documents",
        "rebuild alone, s",
        "search idle, p50 ms",
        "p99 ms",
        "amid a rebuild, p50 ms",
        "p99 ms",
        "searches"
      ],
      [[
        String(DOCUMENTS),
        seconds.toFixed(1),
        share(idle, 0.5),
        share(idle, 0.99),
        share(meanwhile, 0.5),
        share(meanwhile, 0.99),
        String(meanwhile.length)
      ]]
    )
  } finally {
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
