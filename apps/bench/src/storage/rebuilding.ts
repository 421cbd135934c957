/** Building the context of a large workspace anew on a server, and what its searches take meanwhile. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { Node } from "./Node.ts"
import { CHUNKS, paused, Workspace } from "./Workspace.ts"

const DOCUMENTS = 10_000
const BATCH = 250

const SEARCHES = 300

/** Milliseconds between searches: a rebuild is to have the processor, too. */
const PAUSE = 10

/** Milliseconds that each search took, one after the other, for as long as is asked. */
const searchTimes = async (workspace: Workspace, goesOn: (done: number) => Promise<boolean> | boolean) => {
  const times: Array<number> = []
  while (await goesOn(times.length)) {
    times.push(await workspace.search())
    await paused(PAUSE)
  }
  return times.sort((left, right) => left - right)
}

const share = (sorted: ReadonlyArray<number>, part: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(1)

export const benchRebuilding = async (postgresUrl: string, schema: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const node = await Node.start({
    TRIBUTARY_DATABASE_URL: postgresUrl,
    TRIBUTARY_DATABASE_SCHEMA: schema,
    TRIBUTARY_DATA_DIR: folder
  })
  try {
    const workspace = await Workspace.open(node)
    for (let sent = 0; sent < DOCUMENTS; sent += BATCH) await workspace.add(BATCH)
    await workspace.settled()
    await searchTimes(workspace, (done) => done < SEARCHES)

    const [began, worked] = [performance.now(), node.processorSeconds]
    await workspace.startRebuild()
    await workspace.settled()
    const [seconds, processorSeconds] = [(performance.now() - began) / 1_000, node.processorSeconds - worked]
    const idle = await searchTimes(workspace, (done) => done < SEARCHES)
    await workspace.startRebuild()
    const meanwhile = await searchTimes(workspace, async () => !await workspace.isSettled())
    printTable(
      [
        "chunks",
        "rebuild alone, s",
        "its processor time, s",
        "search idle, p50 ms",
        "p99 ms",
        "amid a rebuild, p50 ms",
        "p99 ms",
        "searches"
      ],
      [[
        String(DOCUMENTS * CHUNKS),
        seconds.toFixed(1),
        processorSeconds.toFixed(1),
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
