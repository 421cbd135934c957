/** The same requests to servers on each kind of storage, in turns within one run. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { mean, median } from "../statistics.ts"
import { randomFrom, randomText } from "../texts.ts"
import { Node } from "./Node.ts"
import { paused } from "./Workspace.ts"

const ROUNDS = 15
/** Their processor time is counted in steps of 10 ms. */
const TIMES = 60
const DOCUMENTS = 3_000
const BATCH = 100

interface Status {
  readonly state: string
  readonly pending_documents: number
}

/** One server with a filled workspace. */
class Place {
  readonly #node: Node
  readonly #key: string
  readonly #connector: string
  readonly #texts = randomFrom(31)
  readonly #queries = randomFrom(37)
  #documents = 0

  private constructor(node: Node, key: string, connector: string) {
    this.#node = node
    this.#key = key
    this.#connector = `/v1/custom-connectors/${connector}`
  }

  static async open(settings: Readonly<Record<string, string>>): Promise<Place> {
    const node = await Node.start(settings)
    const key = await node.newKey()
    const connector = { name: "Bench", source_name: "bench" }
    const { connector_id } = await node.request(key, "POST", "/v1/custom-connectors", connector) as {
      readonly connector_id: string
    }
    const place = new Place(node, key, connector_id)
    for (let sent = 0; sent < DOCUMENTS; sent += BATCH) await place.ingest(BATCH)
    await place.settled()
    return place
  }

  async settled(): Promise<void> {
    while (true) {
      const { pending_documents, state } = await this.get("/v1/knowledge/status") as Status
      if (state === "ready" && pending_documents === 0) return
      await paused(100)
    }
  }

  get(path: string): Promise<unknown> {
    return this.#node.request(this.#key, "GET", path)
  }

  list(): Promise<unknown> {
    return this.get(`${this.#connector}/documents?limit=50`)
  }

  search(): Promise<unknown> {
    return this.#node.request(this.#key, "POST", "/v1/knowledge/search", { q: randomText(this.#queries, 3) })
  }

  ask(): Promise<unknown> {
    return this.#node.request(this.#key, "POST", "/v1/knowledge/ask", { query: randomText(this.#queries, 6) })
  }

  /** Seconds of processor time of its server so far, with all threads. */
  get processorSeconds(): number {
    return this.#node.processorSeconds
  }

  ingest(count: number): Promise<unknown> {
    const items = Array.from({ length: count }, () => ({
      external_id: `text-${this.#documents++}`,
      text: randomText(this.#texts, 90)
    }))
    return this.#node.request(this.#key, "POST", `${this.#connector}/ingest/text`, { items })
  }

  stop(): Promise<void> {
    return this.#node.stop()
  }
}

const CASES: ReadonlyMap<string, { readonly times: number; readonly act: (place: Place) => Promise<unknown> }> =
  new Map([
    ["GET settings", { times: TIMES, act: (place) => place.get("/v1/knowledge/settings") }],
    ["search", { times: TIMES, act: (place) => place.search() }],
    ["ask", { times: 20, act: (place) => place.ask() }],
    ["list of 50 documents", { times: 20, act: (place) => place.list() }],
    ["events of an absent kind", { times: 5, act: (place) => place.get("/v1/runtime/events?kind=absent") }],
    ["ingest of 1", { times: 5, act: (place) => place.ingest(1) }],
    ["ingest of 100", { times: 2, act: (place) => place.ingest(BATCH) }]
  ])

interface Turn {
  /** Median time of a request. */
  readonly millis: number
  /** The server's processor time per request. */
  readonly processorMillis: number
}

const turn = async (place: Place, times: number, act: (place: Place) => Promise<unknown>): Promise<Turn> => {
  const taken: Array<number> = []
  const before = place.processorSeconds
  for (let time = 0; time < times; time++) {
    const began = performance.now()
    await act(place)
    taken.push(performance.now() - began)
  }
  return { millis: median(taken), processorMillis: (place.processorSeconds - before) * 1_000 / times }
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
      places.push(await Place.open({ ...settings, TRIBUTARY_DATA_DIR: join(folder, name) }))
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
      for (const place of places) await place.settled()
    }
    const names = storages.map(([name]) => name)
    const ratios = names.slice(1).map((name) => `${name} / memory`)
    printTable(["median ms over HTTP", ...names, ...ratios], waited)
    printTable(["mean CPU ms of the server", ...names, ...ratios], computed)
  } finally {
    for (const place of places) await place.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
