/** A rebuild of a large workspace on a server, and the duration of searches meanwhile. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { constants, setPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { printTable } from "../print.ts"
import { quantile } from "../statistics.ts"
import { Node } from "./Node.ts"
import { CHUNKS, paused, Workspace } from "./Workspace.ts"

const DOCUMENTS = 10_000
const BATCH = 250

const SEARCHES = 600

/** Several rebuilds, because one has too few searches for a 99th percentile. */
const REBUILDS = 3

/** Milliseconds between searches, so that the rebuild gets processor time, too. */
const PAUSE = 10

/**
 * The duration of each search in milliseconds, one after the other, as long as `goesOn` is true. Requests the status
 * before each, to notice the end of a rebuild.
 */
const searchTimes = async (workspace: Workspace, goesOn: (done: number, isSettled: boolean) => boolean) => {
  const times: Array<number> = []
  while (goesOn(times.length, await workspace.isSettled())) {
    times.push(await workspace.search())
    await paused(PAUSE)
  }
  return times
}

/** A program that only uses a processor, at the priority of a rebuild. */
const besideBusyLoop = async <A>(act: () => Promise<A>): Promise<A> => {
  const loop = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" })
  setPriority(loop.pid!, constants.priority.PRIORITY_LOW)
  try {
    return await act()
  } finally {
    loop.kill()
  }
}

const shares = (times: ReadonlyArray<number>): ReadonlyArray<number> =>
  [0.5, 0.99, 1].map((share) => quantile(times, share))

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
    const some = (done: number) => done < SEARCHES
    await searchTimes(workspace, some)

    const [began, worked] = [performance.now(), node.processorSeconds]
    await workspace.startRebuild()
    await workspace.settled()
    const [seconds, processorSeconds] = [(performance.now() - began) / 1_000, node.processorSeconds - worked]
    printTable(
      ["chunks", "rebuild alone, s", "its processor time, s"],
      [[String(DOCUMENTS * CHUNKS), seconds.toFixed(1), processorSeconds.toFixed(1)]]
    )

    const idle = await searchTimes(workspace, some)
    const busy = await besideBusyLoop(() => searchTimes(workspace, some))
    const meanwhile: Array<number> = []
    for (let number = 0; number < REBUILDS; number++) {
      await workspace.startRebuild()
      meanwhile.push(...await searchTimes(workspace, (_, isSettled) => !isSettled))
    }
    const least = shares(idle)[1]!
    const row = (name: string, times: ReadonlyArray<number>) => {
      const [median, most, longest] = shares(times)
      const cells = [median, most, longest].map((time) => time!.toFixed(1))
      return [name, String(times.length), ...cells, (most! / least).toFixed(1)]
    }
    printTable(
      ["searches", "how many", "p50 ms", "p99 ms", "longest, ms", "p99 / p99 idle"],
      [row("idle", idle), row("beside a busy loop", busy), row("during a rebuild", meanwhile)]
    )
  } finally {
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
