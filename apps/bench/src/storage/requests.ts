/** The same requests to servers on each kind of storage, in turns within one run. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { mean, median } from "../statistics.ts"
import { Node } from "./Node.ts"
import { Workspace } from "./Workspace.ts"

const ROUNDS = 15
/** Their processor time is counted in steps of 10 ms. */
const TIMES = 60
const DOCUMENTS = 3_000
const BATCH = 100

/** One server with a filled workspace. */
interface Place {
  readonly node: Node
  readonly workspace: Workspace
}

const ingest = (workspace: Workspace, documents: number) => workspace.add(documents, 90)

const openPlace = async (settings: Readonly<Record<string, string>>): Promise<Place> => {
  const node = await Node.start(settings)
  const workspace = await Workspace.open(node)
  for (let sent = 0; sent < DOCUMENTS; sent += BATCH) await ingest(workspace, BATCH)
  await workspace.settled()
  return { node, workspace }
}

const CASES: ReadonlyMap<string, { readonly times: number; readonly act: (workspace: Workspace) => Promise<unknown> }> =
  new Map([
    ["GET settings", { times: TIMES, act: (workspace) => workspace.get("/v1/knowledge/settings") }],
    ["search", { times: TIMES, act: (workspace) => workspace.search() }],
    ["ask", { times: 20, act: (workspace) => workspace.ask() }],
    ["list of 50 documents", { times: 20, act: (workspace) => workspace.list() }],
    ["events of an absent kind", { times: 5, act: (workspace) => workspace.get("/v1/runtime/events?kind=absent") }],
    ["ingest of 1", { times: 5, act: (workspace) => ingest(workspace, 1) }],
    ["ingest of 100", { times: 2, act: (workspace) => ingest(workspace, BATCH) }]
  ])

interface Turn {
  /** Median time of a request. */
  readonly millis: number
  /** The server's processor time per request. */
  readonly processorMillis: number
}

const turn = async (
  { node, workspace }: Place,
  times: number,
  act: (workspace: Workspace) => Promise<unknown>
): Promise<Turn> => {
  const taken: Array<number> = []
  const before = node.processorSeconds
  for (let time = 0; time < times; time++) {
    const began = performance.now()
    await act(workspace)
    taken.push(performance.now() - began)
  }
  return { millis: median(taken), processorMillis: (node.processorSeconds - before) * 1_000 / times }
}

export const benchRequests = async (postgresUrl: string, schema: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const storages: ReadonlyArray<readonly [name: string, settings: Readonly<Record<string, string>>]> = [
    ["memory", { TRIBUTARY_STORAGE: "memory" }],
    ["SQLite", { TRIBUTARY_STORAGE: "embedded" }],
    ["Postgres", { TRIBUTARY_DATABASE_URL: postgresUrl, TRIBUTARY_DATABASE_SCHEMA: schema }]
  ]
  const places: Array<Place> = []
  try {
    for (const [name, settings] of storages) {
      places.push(await openPlace({ ...settings, TRIBUTARY_DATA_DIR: join(folder, name) }))
    }
    const waited: Array<ReadonlyArray<string>> = []
    const computed: Array<ReadonlyArray<string>> = []
    for (const [name, { act, times }] of CASES) {
      const rounds = places.map((): Array<Turn> => [])
      for (let round = 0; round < ROUNDS; round++) {
        for (const [at, place] of places.entries()) rounds[at]!.push(await turn(place, times, act))
      }
      // The first round warms up.
      const [memory, ...others] = rounds.map((turns) => turns.slice(1))
      const all = [memory!, ...others]
      waited.push([
        name,
        ...all.map((turns) => median(turns.map(({ millis }) => millis)).toFixed(2)),
        ...others.map((turns) => median(turns.map(({ millis }, round) => millis / memory![round]!.millis)).toFixed(2))
      ])
      const [base, ...means] = all.map((turns) => mean(turns.map(({ processorMillis }) => processorMillis)))
      computed.push([
        name,
        ...[base!, ...means].map((millis) => millis.toFixed(2)),
        ...means.map((millis) => (millis / base!).toFixed(2))
      ])
      for (const place of places) await place.workspace.settled()
    }
    const names = storages.map(([name]) => name)
    const ratios = names.slice(1).map((name) => `${name} / memory`)
    printTable(["median ms over HTTP", ...names, ...ratios], waited)
    printTable(["mean CPU ms of the server", ...names, ...ratios], computed)
  } finally {
    for (const { node } of places) await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
