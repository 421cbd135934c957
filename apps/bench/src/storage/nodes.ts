/** Requests per second of one, two and four servers on one Postgres. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { Node } from "./Node.ts"

const REQUESTS = 600
const LANES = 16

const throughput = async (nodes: ReadonlyArray<Node>, act: (node: Node) => Promise<unknown>): Promise<number> => {
  let sent = 0
  const began = performance.now()
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    while (sent++ < REQUESTS) await act(nodes[lane % nodes.length]!)
  }))
  return REQUESTS / ((performance.now() - began) / 1_000)
}

export const benchNodes = async (postgresUrl: string, schema: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const settings = {
    TRIBUTARY_DATABASE_URL: postgresUrl,
    TRIBUTARY_DATABASE_SCHEMA: schema,
    TRIBUTARY_MEMORY_MB: "64",
    TRIBUTARY_DATA_DIR: folder
  }
  const nodes: Array<Node> = []
  const rows: Array<ReadonlyArray<string>> = []
  try {
    const first = await Node.start(settings)
    nodes.push(first)
    const key = await first.newKey()
    for (const count of [1, 2, 4]) {
      while (nodes.length < count) nodes.push(await Node.start(settings))
      const read = (node: Node) => node.request(key, "GET", "/v1/knowledge/settings")
      const search = (node: Node) => node.request(key, "POST", "/v1/knowledge/search", { q: "nothing" })
      await throughput(nodes, read)
      rows.push([
        String(count),
        (await throughput(nodes, read)).toFixed(0),
        (await throughput(nodes, search)).toFixed(0)
      ])
    }
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await rm(folder, { recursive: true, force: true })
  }
  printTable(["servers", "GET settings, requests/s", "search, requests/s"], rows)
}
