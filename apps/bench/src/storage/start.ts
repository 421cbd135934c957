/** Starts on an empty and on an existing store, and the memory of a server. */
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { Node } from "./Node.ts"

const MEGABYTES = 8

/** A megabyte of mostly unique words, which needs the most memory to index. */
const randomMegabyte = (number: number) =>
  Array.from({ length: 100 }, (_, index) => ({
    external_id: `random-${number}-${index}`,
    text: randomBytes(5_000).toString("hex").replace(/.{7}/g, "$& ").slice(0, 10_000)
  }))

const ingest = async (node: Node, key: string): Promise<void> => {
  const { connector_id } = await node.request(key, "POST", "/v1/custom-connectors", {
    name: "Bench",
    source_name: "bench"
  }) as { readonly connector_id: string }
  for (let number = 0; number < MEGABYTES; number++) {
    await node.request(key, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, {
      items: randomMegabyte(number)
    })
  }
}

/** The server on this kind of storage: its first start, and a later one. */
const starts = async (name: string, settings: Readonly<Record<string, string>>) => {
  const cold = await Node.start(settings)
  const [atRest, peak] = [cold.residentMegabytes, cold.mostMegabytes]
  await ingest(cold, cold.key!)
  const afterIngest = cold.residentMegabytes
  await cold.stop()
  const warm = await Node.start(settings)
  const warmMegabytes = warm.residentMegabytes
  await warm.stop()
  return [
    name,
    cold.seconds.toFixed(1),
    warm.seconds.toFixed(1),
    atRest.toFixed(0),
    peak.toFixed(0),
    warmMegabytes.toFixed(0),
    afterIngest.toFixed(0),
    ((afterIngest - atRest) / MEGABYTES).toFixed(0)
  ]
}

export const benchStart = async (postgresUrl: string, schema: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  try {
    // Node compiles a program at its first start only.
    await (await Node.start({ TRIBUTARY_STORAGE: "memory" })).stop()
    printTable(
      [
        "storage",
        "first start, s",
        "next start, s",
        "RSS at first, MB",
        "at most, MB",
        "RSS at next, MB",
        `RSS after ${MEGABYTES} MB of random text`,
        "growth per MB"
      ],
      [
        await starts("memory", { TRIBUTARY_STORAGE: "memory" }),
        await starts("SQLite", { TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(folder, "embedded") }),
        await starts("Postgres", {
          TRIBUTARY_DATABASE_URL: postgresUrl,
          TRIBUTARY_DATABASE_SCHEMA: schema,
          TRIBUTARY_DATA_DIR: join(folder, "postgres")
        })
      ]
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
