/**
 * What a document costs as a workspace grows: the same work on a small one and on large ones, over HTTP, on a server
 * and a database of its own each.
 */
import { Effect, Exit, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { print, printLoad, printTable } from "../print.ts"
import { dropSchemas, postgresUrl, SCHEMA } from "../storage/databases.ts"
import { Node } from "../storage/Node.ts"
import { Growing } from "./Growing.ts"

/** Of documents; other sizes are given with commas, such as 10000,100000,1000000. */
const SIZES = (process.env["TRIBUTARY_BENCH_GROWTH"] ?? "10000,100000").split(",").map(Number)

const SEARCHES = 500
const ASKS = 100
const WARM = 50

const seconds = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1_000
}

/** Of this many, one after the other: the median and the 99th percentile, in milliseconds. */
const times = async (count: number, act: () => Promise<void>) => {
  for (let warm = 0; warm < WARM; warm++) await act()
  const taken: Array<number> = []
  for (let number = 0; number < count; number++) taken.push(await seconds(act) * 1_000)
  taken.sort((left, right) => left - right)
  return { p50: taken[count >> 1]!, p99: taken[Math.floor(count * 0.99)]! }
}

/** How many documents a second, and the processor time that the server takes for each, which other work sways less. */
interface Step {
  readonly rate: number
  readonly processor: number
}

const measured = async (node: Node, documents: number) => {
  const growing = await Growing.open(node)
  const step = async (act: () => Promise<unknown>, handled = documents): Promise<Step> => {
    const before = node.processorSeconds
    const taken = await seconds(act)
    return { rate: handled / taken, processor: (node.processorSeconds - before) * 1_000 / handled }
  }
  // What is taken in is folded into the context meanwhile, so the last of it belongs to it.
  const ingest = await step(async () => {
    await growing.fill(documents)
    await growing.settled()
  })
  const first = await seconds(() => growing.search()) * 1_000
  const search = await times(SEARCHES, () => growing.search())
  const ask = await times(ASKS, () => growing.ask())
  const list = await step(async () => {
    const listed = await growing.list()
    if (listed !== documents) throw new Error(`${listed} of ${documents} documents were listed`)
  })
  const rebuild = await step(() => growing.rebuild())
  const deletion = await step(() => growing.removeTenth(documents), documents / 10)
  const megabytes = node.residentMegabytes
  return { documents, ingest, rebuild, list, deletion, first, search, ask, megabytes }
}

type Measured = Awaited<ReturnType<typeof measured>>

const STEPS: ReadonlyArray<readonly [name: string, of: (all: Measured) => Step]> = [
  ["ingest and refresh", ({ ingest }) => ingest],
  ["listing to the end", ({ list }) => list],
  ["rebuild", ({ rebuild }) => rebuild],
  ["deletion of a tenth", ({ deletion }) => deletion]
]

const TIMES: ReadonlyArray<readonly [name: string, milliseconds: (of: Measured) => number]> = [
  ["search p50", ({ search }) => search.p50],
  ["search p99", ({ search }) => search.p99],
  ["ask p50", ({ ask }) => ask.p50],
  ["ask p99", ({ ask }) => ask.p99],
  ["first search", ({ first }) => first]
]

const report = (storage: string, all: ReadonlyArray<Measured>): void => {
  const sizes = all.map(({ documents }) => documents.toLocaleString("en"))
  const [least, most] = [all[0]!, all.at(-1)!]
  printTable(
    [`${storage}: documents a second`, ...sizes, "time each, largest / smallest"],
    STEPS.map(([name, of]) => [
      name,
      ...all.map((one) => of(one).rate.toFixed(0)),
      (of(least).rate / of(most).rate).toFixed(2)
    ])
  )
  print("")
  printTable(
    [`${storage}: the server's processor, ms a document`, ...sizes, "largest / smallest"],
    STEPS.map(([name, of]) => [
      name,
      ...all.map((one) => of(one).processor.toFixed(2)),
      (of(most).processor / of(least).processor).toFixed(2)
    ])
  )
  print("")
  printTable(
    [`${storage}: milliseconds`, ...sizes],
    TIMES.map(([name, milliseconds]) => [name, ...all.map((one) => milliseconds(one).toFixed(1))])
  )
  print("")
  printTable([`${storage}: megabytes`, ...sizes], [["server", ...all.map(({ megabytes }) => megabytes.toFixed(0))]])
  print("")
}

const onServer = async (settings: Readonly<Record<string, string>>, documents: number): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const node = await Node.start({ TRIBUTARY_DATA_DIR: folder, ...settings })
  try {
    return await measured(node, documents)
  } finally {
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const benchGrowth = async (): Promise<void> => {
  printLoad()
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(postgresUrl, Scope.Scope, scope))
  const schemaOf = (documents: number) => `${SCHEMA}_growth_${documents}`
  const storages: ReadonlyArray<readonly [string, (documents: number) => Readonly<Record<string, string>>]> = [
    [
      "Postgres",
      (documents) => ({ TRIBUTARY_DATABASE_URL: url, TRIBUTARY_DATABASE_SCHEMA: schemaOf(documents) })
    ],
    ["embedded", () => ({ TRIBUTARY_STORAGE: "embedded" })]
  ]
  const only = process.env["TRIBUTARY_BENCH_STORAGE"]
  try {
    for (const [storage, settings] of storages) {
      if (only !== undefined && only !== storage.toLowerCase()) continue
      const all: Array<Measured> = []
      for (const documents of SIZES) all.push(await onServer(settings(documents), documents))
      report(storage, all)
    }
  } finally {
    await Effect.runPromise(dropSchemas(url, SIZES.map(schemaOf)))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  printLoad()
  print("")
}
