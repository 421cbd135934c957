/**
 * Many workspaces on two servers and one Postgres, of which a tenth fits into memory: the duration of a search if some
 * are searched much more often than others, in a workspace that was not searched for long, and beside a busy one.
 */
import { Effect, Exit, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { print, printLoad, printTable } from "../print.ts"
import { dropSchemas, postgresUrl, SCHEMA } from "../storage/databases.ts"
import { Node } from "../storage/Node.ts"
import { quantile } from "../statistics.ts"
import { randomFrom } from "../texts.ts"
import { Growing } from "./Growing.ts"

const WORKSPACES = Number(process.env["TRIBUTARY_BENCH_WORKSPACES"] ?? "1000")
const DOCUMENTS = 2_000
/** Of 256 MB for 1,000 workspaces, as many for fewer. */
const MEGABYTES = Math.max(16, Math.round(256 * WORKSPACES / 1_000))

/** Workspaces that are filled concurrently. */
const FILLED = 4
/** Concurrent requests. */
const LANES = 4
const WARM = 5 * WORKSPACES
const SEARCHES = 5_000
const COLD = Math.min(50, WORKSPACES >> 1)
const QUIET = 5
const QUIET_SEARCHES = 400
const BUSY_LANES = 4

const random = randomFrom(37)

/** The number of a workspace by Zipf's law: the second is searched half as often as the first, and so on. */
const zipf = (() => {
  const upTo: Array<number> = []
  let sum = 0
  for (let rank = 1; rank <= WORKSPACES; rank++) upTo.push(sum += 1 / rank)
  return (): number => {
    const at = random() * sum
    return upTo.findIndex((bound) => bound >= at)
  }
})()

const milliseconds = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const inLanes = async (lanes: number, count: number, act: (number: number) => Promise<void>): Promise<void> => {
  let next = 0
  await Promise.all(Array.from({ length: lanes }, async () => {
    while (next < count) await act(next++)
  }))
}

/** `processor` is the servers' processor time in seconds. */
const row = (name: string, taken: ReadonlyArray<number>, processor: number, more = ""): ReadonlyArray<string> => {
  const shares = [0.5, 0.99, 1].map((share) => quantile(taken, share).toFixed(1))
  return [name, String(taken.length), ...shares, (processor * 1_000 / taken.length).toFixed(1), more]
}

/** The number of searches that found everything in memory, and of those that read segments. */
const lookups = async (nodes: ReadonlyArray<Node>): Promise<{ memory: number; read: number }> => {
  const sum = { memory: 0, read: 0 }
  for (const node of nodes) {
    for (
      const [, from, value] of (await node.metrics()).matchAll(
        /^tributary_context_lookups_total\{.*from="(\w+)".*\} (\d+)/gm
      )
    ) {
      sum[from === "memory" ? "memory" : "read"] += Number(value)
    }
  }
  return sum
}

const measured = async (start: (number: number) => Promise<Node>, clean: () => Promise<void>): Promise<void> => {
  let nodes = [await start(0), await start(1)]
  const stop = () => Promise.all(nodes.map((node) => node.stop()))
  const restart = async () => {
    await stop()
    nodes = [await start(0), await start(1)]
  }
  try {
    const workspaces: Array<Growing> = []
    const filled = await milliseconds(async () => {
      await inLanes(FILLED, WORKSPACES, async (number) => {
        const workspace = await Growing.open(nodes[number % 2]!)
        await workspace.fill(DOCUMENTS)
        workspaces.push(workspace)
      })
      await inLanes(FILLED, WORKSPACES, (number) => workspaces[number]!.settled())
    })
    print(`${WORKSPACES} workspaces of ${DOCUMENTS} documents were filled in ${(filled / 1_000).toFixed(0)} s`)
    const rows: Array<ReadonlyArray<string>> = []

    const processor = () => nodes.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0)
    const firsts = async (name: string, act: (workspace: Growing) => Promise<void>) => {
      const taken: Array<number> = []
      const before = processor()
      for (let number = WORKSPACES - COLD; number < WORKSPACES; number++) {
        taken.push(await milliseconds(() => act(workspaces[number]!)))
      }
      rows.push(row(name, taken, processor() - before))
    }
    const search = (workspace: Growing) => workspace.search(nodes[0]!)
    /** Warms up the compiler on workspaces that are not measured. */
    const warm = async () => {
      for (let number = 0; number < 300; number++) await workspaces[number % QUIET]!.search(nodes[0]!)
    }

    await stop()
    await clean()
    nodes = [await start(0), await start(1)]
    await warm()
    await firsts("a read of settings, for comparison", (workspace) => workspace.settings(nodes[0]!))
    await firsts("a first search: segments from the database", search)
    await restart()
    await warm()
    await firsts("a first search: segments from files", search)
    await firsts("the next search", search)

    const zipfian = (count: number, done: (taken: number) => void) =>
      inLanes(LANES, count, async () => {
        const node = nodes[random() < 0.5 ? 0 : 1]!
        done(await milliseconds(() => workspaces[zipf()]!.search(node)))
      })
    await zipfian(WARM, () => {})
    const [before, worked] = [await lookups(nodes), processor()]
    const taken: Array<number> = []
    await zipfian(SEARCHES, (one) => taken.push(one))
    const [after, working] = [await lookups(nodes), processor() - worked]
    const [hits, reads] = [after.memory - before.memory, after.read - before.read]
    const found = `${(100 * hits / (hits + reads)).toFixed(0)} % in memory`
    rows.push(row(`${LANES} at once by Zipf's law`, taken, working, found))

    const quiet = async (name: string, lanes: number, other: () => Promise<unknown>) => {
      const over = new AbortController()
      const others = Promise.all(Array.from({ length: lanes }, async () => {
        while (!over.signal.aborted) await other()
      }))
      const each: Array<number> = []
      const before = processor()
      for (let number = 0; number < QUIET_SEARCHES; number++) {
        const workspace = workspaces[1 + number % QUIET]!
        each.push(await milliseconds(() => workspace.search(nodes[0]!)))
      }
      over.abort()
      await others
      rows.push(row(name, each, processor() - before))
    }
    const [busy] = workspaces
    await quiet("quiet workspaces alone", 1, () => new Promise((resolve) => setTimeout(resolve, 50)))
    await quiet("and one that searches four times at once", BUSY_LANES, () => busy!.search(nodes[0]!))
    await quiet("and one that rebuilds all the time", 1, () => busy!.rebuild(nodes[0]!))
    printTable(["searches", "how many", "p50 ms", "p99 ms", "longest, ms", "the servers' processor, ms", "found"], rows)
    printTable(["server", "MB"], nodes.map((node, number) => [String(number + 1), node.residentMegabytes.toFixed(0)]))
  } finally {
    await stop()
  }
}

export const benchWorkspaces = async (): Promise<void> => {
  printLoad()
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(postgresUrl, Scope.Scope, scope))
  const schema = `${SCHEMA}_workspaces`
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), "tributary-bench-"))))
  const start = (number: number) =>
    Node.start({
      TRIBUTARY_DATABASE_URL: url,
      TRIBUTARY_DATABASE_SCHEMA: schema,
      TRIBUTARY_DATA_DIR: folders[number]!,
      TRIBUTARY_MEMORY_MB: String(MEGABYTES)
    })
  const remove = (what: string) =>
    Promise.all(folders.map((folder) => rm(join(folder, what), { recursive: true, force: true })))
  try {
    await measured(start, async () => void await remove("segments"))
  } finally {
    await remove("")
    await Effect.runPromise(dropSchemas(url, [schema]))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  printLoad()
  print("")
}
