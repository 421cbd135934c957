/** The memory of a first sync as its source grows: alone, and within a server. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { print, printTable } from "../print.ts"
import { dropSchemas, postgresUrl } from "../storage/databases.ts"
import { randomFrom, randomText } from "../texts.ts"
import { fillFolder } from "./fillFolder.ts"
import { type Stored, storeFolder } from "./storing.ts"

const SIZES = [1, 10_000, 50_000, 100_000]
/** The sizes that are also stored by a server. */
const STORED: ReadonlySet<number> = new Set([10_000, 100_000])
/** The words of a file. */
const WORDS = 150

const random = randomFrom(3)

interface Memory {
  readonly items: number
  readonly held: number
  readonly most: number
}

/** The young generation takes some 50 MB in a process that has run for a while, so it starts with that size. */
const AS_IF_RUNNING = "--min-semi-space-size=16"

const pull = async (folder: string): Promise<Memory> => {
  const entry = fileURLToPath(new URL("./pulling.ts", import.meta.url))
  const child = fork(entry, [folder], { execArgv: ["--expose-gc", AS_IF_RUNNING] })
  const [[memory]] = await Promise.all([once(child, "message"), once(child, "exit")])
  return memory
}

const store = async (folder: string, files: number, url: string): Promise<Stored> => {
  const [schema, data] = [`bench_sources_${process.pid}_${files}`, await mkdtemp(join(tmpdir(), "tributary-bench-"))]
  const settings = {
    TRIBUTARY_DATABASE_URL: url,
    TRIBUTARY_DATABASE_SCHEMA: schema,
    TRIBUTARY_DATA_DIR: data
  }
  try {
    return await storeFolder(folder, files, settings)
  } finally {
    await Effect.runPromise(dropSchemas(url, [schema]))
    await rm(data, { recursive: true, force: true })
  }
}

const measured = async (url: string) => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const pulled: Array<Memory> = []
  const stored: Array<Stored & { readonly files: number }> = []
  try {
    for (const [at, size] of SIZES.entries()) {
      await fillFolder(folder, SIZES[at - 1] ?? 0, size, () => randomText(random, WORDS))
      const memory = await pull(folder)
      if (memory.items !== size) throw new Error(`${memory.items} files came, not ${size}`)
      pulled.push(memory)
      if (STORED.has(size)) stored.push({ ...await store(folder, size, url), files: size })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { pulled, stored }
}

export const benchMemory = async (): Promise<void> => {
  const { pulled, stored } = await Effect.runPromise(
    Effect.scoped(Effect.flatMap(postgresUrl, (url) => Effect.promise(() => measured(url))))
  )
  printTable(
    ["files", "held, MB", "most RSS, MB"],
    pulled.map(({ held, items, most }) => [String(items), held.toFixed(1), most.toFixed(0)])
  )
  const [few, many] = [pulled.find(({ items }) => STORED.has(items))!, pulled.at(-1)!]
  const bytes = (many.held - few.held) * 1e6 / (many.items - few.items)
  print(
    `${many.items} / ${few.items}: held ${(many.held / few.held).toFixed(2)}, ${bytes.toFixed(0)} bytes per file; ` +
      `RSS ${(many.most / few.most).toFixed(2)}`
  )
  print("")
  printTable(
    [
      "files stored by a server",
      "s",
      "CPU s of the server",
      "files/s",
      "again, s",
      "again, CPU ms of each",
      "most RSS, MB"
    ],
    stored.map(({ again, files, first, mostMegabytes }) => [
      String(files),
      first.seconds.toFixed(0),
      first.processorSeconds.toFixed(0),
      (files / first.seconds).toFixed(0),
      again.seconds.toFixed(1),
      (again.processorSeconds * 1_000 / files).toFixed(3),
      mostMegabytes.toFixed(0)
    ])
  )
  const [smallest, largest] = [stored[0]!, stored.at(-1)!]
  print(
    `${largest.files} / ${smallest.files}: RSS ${(largest.mostMegabytes / smallest.mostMegabytes).toFixed(2)}, ` +
      `${((largest.mostMegabytes - smallest.mostMegabytes) * 2 ** 20 / (largest.files - smallest.files)).toFixed(0)} ` +
      "bytes per file"
  )
}
