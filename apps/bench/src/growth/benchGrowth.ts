/**
 * The cost of a document as a workspace grows: the same work on small and large workspaces, over HTTP, each on a
 * separate server and database.
 */
import { Effect, Exit, Scope } from "effect"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { print, printLoad, printTable } from "../print.ts"
import { endedProcessorSeconds } from "../processor.ts"
import { mean, quantile } from "../statistics.ts"
import { databaseProcessor, dropSchemas, postgresUrl, SCHEMA, schemaMegabytes } from "../storage/databases.ts"
import { Node, runCommand } from "../storage/Node.ts"
import { fillFolder } from "../sources/fillFolder.ts"
import { storeFolder, type Work } from "../sources/storing.ts"
import { Growing, textOf } from "./Growing.ts"

/** Numbers of documents, separated by commas, such as 10000,100000,1000000. */
const SIZES = (process.env["TRIBUTARY_BENCH_GROWTH"] ?? "10000,100000").split(",").map(Number)

/** A small size is measured several times, because processor time is counted in steps of 10 ms. */
const MIN_HANDLED = 50_000

/** At most as many files are synced, because their first sync takes longest; none with 0. */
const FILES = Number(process.env["TRIBUTARY_BENCH_FILES"] ?? "Infinity")

/** Small batches, each found before the next one is sent. */
const REFRESHES = 20
const REFRESHED = 50

const SEARCHES = 500
const ASKS = 100
const WARM = 50

type Settings = Readonly<Record<string, string>>

/** The settings of three stores: for the ingest, the import and the sync. */
interface Place {
  readonly name: string
  readonly settings: readonly [filled: Settings, imported: Settings, synced: Settings]
  /** Processor seconds of the database's own processes. */
  readonly database: () => number
  /** What the first store takes in the database, in megabytes; NaN if that is in the folder. */
  readonly stored: () => Promise<number>
}

/** The cost of one kind of work per document: time, and processor time, which depends less on other work. */
interface Step {
  readonly seconds: number
  readonly processor: number
  readonly database: number
}

interface Measured {
  readonly documents: number
  readonly steps: ReadonlyMap<string, Step>
  readonly milliseconds: ReadonlyMap<string, number>
  readonly megabytes: ReadonlyMap<string, number>
}

const seconds = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1_000
}

/** Repeats `act`. Returns the median, the 99th percentile and the server's processor time per call, in milliseconds. */
const times = async (count: number, processor: () => number, act: () => Promise<void>) => {
  for (let warm = 0; warm < WARM; warm++) await act()
  const taken: Array<number> = []
  const before = processor()
  for (let number = 0; number < count; number++) taken.push(await seconds(act) * 1_000)
  const each = (processor() - before) * 1_000 / count
  return { p50: quantile(taken, 0.5), p99: quantile(taken, 0.99), each }
}

/** Of all files in a folder, in megabytes. */
const sizeOf = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // One that a server has just deleted counts nothing.
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  }
  return bytes / 2 ** 20
}

const inTemporaryFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const measured = async ({ database, name, settings, stored }: Place, documents: number) => {
  const [filled, imported, synced] = settings
  const steps = new Map<string, Step>()
  const milliseconds = new Map<string, number>()
  const megabytes = new Map<string, number>()
  const took = (what: string, { databaseSeconds, processorSeconds, seconds }: Work, handled = documents) => {
    steps.set(what, {
      seconds: seconds / handled,
      processor: processorSeconds / handled,
      database: databaseSeconds / handled
    })
    print(`${name}, ${documents.toLocaleString("en")} documents: ${what} took ${seconds.toFixed(1)} s`)
  }
  const step = async (
    what: string,
    processor: () => number,
    act: () => Promise<unknown>,
    handled = documents
  ): Promise<void> => {
    const [own, others] = [processor(), database()]
    const taken = await seconds(act)
    took(
      what,
      { seconds: taken, processorSeconds: processor() - own, databaseSeconds: database() - others },
      handled
    )
  }

  const node = await Node.start(filled)
  try {
    const ours = () => node.processorSeconds
    const growing = await Growing.open(node)
    // The context is refreshed during the ingest, so the time includes the last refresh.
    await step("ingest and refresh", ours, async () => {
      await growing.fill(documents)
      await growing.settled()
    })
    megabytes.set("server after ingest", node.residentMegabytes)
    const more = REFRESHES * REFRESHED
    await step(`refreshes of ${REFRESHED}`, ours, async () => {
      for (let sent = 0; sent < more; sent += REFRESHED) {
        await growing.fill(REFRESHED, documents + sent)
        await growing.settled()
      }
    }, more)
    milliseconds.set("first search", await seconds(() => growing.search()) * 1_000)
    for (const [kind, count] of [["search", SEARCHES], ["ask", ASKS]] as const) {
      const { each, p50, p99 } = await times(count, ours, () => growing[kind]())
      milliseconds.set(`${kind} p50`, p50).set(`${kind} p99`, p99).set(`${kind}, the server's processor`, each)
    }
    megabytes.set("server after searches", node.residentMegabytes)
    await step("listing to the end", ours, async () => {
      const listed = await growing.list()
      if (listed !== documents + more) throw new Error(`${listed} of ${documents + more} documents were listed`)
    }, documents + more)
    await step("rebuild", ours, () => growing.rebuild(), documents + more)
    megabytes.set("server after the rebuild", node.residentMegabytes)
    megabytes.set("database on disk", await stored())
    megabytes.set("data folder on disk", await sizeOf(filled["TRIBUTARY_DATA_DIR"]!))
    // With the refresh that follows: it begins within the deletion of many documents, and after that of few.
    await step("deletion of a tenth", ours, async () => {
      await growing.removeTenth(documents)
      await growing.settled()
    }, documents / 10)
    megabytes.set("server at most", node.mostMegabytes)
  } finally {
    await node.stop()
  }
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "store.tributary")
    const left = documents + REFRESHES * REFRESHED - documents / 10
    await step("export", endedProcessorSeconds, () => runCommand(filled, "export", file), left)
    await step("import", endedProcessorSeconds, () => runCommand(imported, "import", file), left)
  })
  const files = Math.min(documents, FILES)
  if (files > 0) {
    await inTemporaryFolder(async (folder) => {
      await fillFolder(folder, 0, files, textOf)
      const { again, first } = await storeFolder(folder, files, synced, database)
      took("first sync of files", first, files)
      took("sync of unchanged files", again, files)
    })
  }
  return { documents, steps, milliseconds, megabytes } satisfies Measured
}

/** The means of several runs. */
const averaged = (runs: ReadonlyArray<Measured>): Measured => {
  const each = <A, B>(of: (run: Measured) => ReadonlyMap<string, A>, combined: (values: ReadonlyArray<A>) => B) =>
    new Map([...of(runs[0]!).keys()].map((name) => [name, combined(runs.map((run) => of(run).get(name)!))]))
  return {
    documents: runs[0]!.documents,
    steps: each(({ steps }) => steps, (steps) => ({
      seconds: mean(steps.map(({ seconds }) => seconds)),
      processor: mean(steps.map(({ processor }) => processor)),
      database: mean(steps.map(({ database }) => database))
    })),
    milliseconds: each(({ milliseconds }) => milliseconds, mean),
    megabytes: each(({ megabytes }) => megabytes, mean)
  }
}

const report = (storage: string, all: ReadonlyArray<Measured>): void => {
  const sizes = all.map(({ documents }) => documents.toLocaleString("en"))
  const table = (
    what: string,
    values: (one: Measured) => ReadonlyMap<string, number>,
    digits: number,
    isCompared = false
  ): void => {
    const rows = [...values(all[0]!).keys()].map((row) => {
      const figures = all.map((one) => values(one).get(row)!)
      return [
        row,
        ...figures.map((figure) => figure.toFixed(digits)),
        ...(isCompared ? [(figures.at(-1)! / figures[0]!).toFixed(2)] : [])
      ]
    })
    printTable([`${storage}: ${what}`, ...sizes, ...(isCompared ? ["largest / smallest"] : [])], rows)
    print("")
  }
  const each = (figure: (step: Step) => number) => ({ steps }: Measured) =>
    new Map([...steps].map(([name, step]) => [name, figure(step)]))
  table("documents a second", each(({ seconds }) => 1 / seconds), 0)
  table("our processor time, ms a document", each(({ processor }) => processor * 1_000), 3, true)
  if (!Number.isNaN(all[0]!.steps.values().next().value!.database)) {
    table("the database's processor time, ms a document", each(({ database }) => database * 1_000), 3, true)
  }
  table("milliseconds", ({ milliseconds }) => milliseconds, 1)
  table("megabytes", ({ megabytes }) => megabytes, 0)
}

const postgresAt = (url: string, schema: string): Settings => ({
  TRIBUTARY_DATABASE_URL: url,
  TRIBUTARY_DATABASE_SCHEMA: schema
})

const onPostgres = async (url: string, documents: number): Promise<Measured> => {
  const schemas = [`${SCHEMA}_growth`, `${SCHEMA}_import`, `${SCHEMA}_sync`] as const
  const database = await Effect.runPromise(databaseProcessor(url))
  try {
    const [filled, imported, synced] = schemas.map((schema) => postgresAt(url, schema))
    const stored = () => Effect.runPromise(schemaMegabytes(url, schemas[0]))
    return await inFolders({ name: "Postgres", settings: [filled!, imported!, synced!], database, stored }, documents)
  } finally {
    await Effect.runPromise(dropSchemas(url, schemas))
  }
}

const embedded = { TRIBUTARY_STORAGE: "embedded" }

/** Each store with a data folder of its own. */
const inFolders = ({ settings: [filled, imported, synced], ...place }: Place, documents: number): Promise<Measured> =>
  inTemporaryFolder((folder) => {
    const at = (name: string, settings: Settings): Settings => ({ ...settings, TRIBUTARY_DATA_DIR: join(folder, name) })
    const settings = [at("filled", filled), at("imported", imported), at("synced", synced)] as const
    return measured({ ...place, settings }, documents)
  })

export const benchGrowth = async (): Promise<void> => {
  printLoad()
  const scope = Scope.makeUnsafe()
  const url = Effect.runPromise(Effect.cached(Effect.provideService(postgresUrl, Scope.Scope, scope)))
  const storages: ReadonlyArray<readonly [string, (documents: number) => Promise<Measured>]> = [
    ["Postgres", async (documents) => onPostgres(await Effect.runPromise(await url), documents)],
    [
      "embedded",
      (documents) =>
        inFolders({
          name: "embedded",
          settings: [embedded, embedded, embedded],
          database: () => NaN,
          stored: async () => NaN
        }, documents)
    ]
  ]
  const only = process.env["TRIBUTARY_BENCH_STORAGE"]
  if (only !== undefined && !storages.some(([storage]) => storage.toLowerCase() === only)) {
    throw new Error(`TRIBUTARY_BENCH_STORAGE is "${only}", and must be postgres or embedded.`)
  }
  try {
    for (const [storage, measure] of storages) {
      if (only !== undefined && only !== storage.toLowerCase()) continue
      const all: Array<Measured> = []
      for (const documents of SIZES) {
        const runs: Array<Measured> = []
        for (let handled = 0; handled < MIN_HANDLED; handled += documents) runs.push(await measure(documents))
        all.push(averaged(runs))
      }
      report(storage, all)
    }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  printLoad()
  print("")
}
