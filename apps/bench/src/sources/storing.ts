/** Pulls a folder into the storage of a server, and measures it from outside. */
import { Node } from "../storage/Node.ts"
import { paused } from "../storage/Workspace.ts"

export interface Work {
  readonly seconds: number
  readonly processorSeconds: number
  readonly databaseSeconds: number
}

export interface Stored {
  /** Until everything was stored and found. */
  readonly first: Work
  /** A sync without changes; the median of several. */
  readonly again: Work
  /** The memory of the server's process, which also indexes the texts. */
  readonly mostMegabytes: number
}

interface SyncState {
  readonly status: string
  readonly items_ingested: number
  readonly error: string | null
}

const MANUAL = { start: null, interval_minutes: 43_200 }

/** The first one costs up to twice as much as the others, so the median counts. */
const RUNS = 5

const MAX_MILLIS = 2 * 60 * 60_000

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const began = performance.now(); !await holds(); await paused(200)) {
    if (performance.now() - began > MAX_MILLIS) throw new Error("a sync takes more than two hours")
  }
}

/** `database` measures the processor time of the database's processes, in seconds. */
export const storeFolder = async (
  folder: string,
  files: number,
  settings: Readonly<Record<string, string>>,
  database: () => number = () => NaN
): Promise<Stored> => {
  const node = await Node.start({ ...settings, TRIBUTARY_FILE_ROOTS: folder })
  const measured = async (act: () => Promise<void>): Promise<Work> => {
    const [began, ours, others] = [performance.now(), node.processorSeconds, database()]
    await act()
    return {
      seconds: (performance.now() - began) / 1_000,
      processorSeconds: node.processorSeconds - ours,
      databaseSeconds: database() - others
    }
  }
  try {
    const key = await node.newKey()
    let path = ""
    const over = async (ingested: number) => {
      const [state] = await node.request(key, "GET", path) as ReadonlyArray<SyncState>
      if (state === undefined || state.status === "pending" || state.status === "running") return false
      if (state.status === "completed" && state.items_ingested === ingested) return true
      throw new Error(`${state.status} with ${state.items_ingested} of ${ingested}: ${state.error}`)
    }
    const first = await measured(async () => {
      const connection = { provider: "files", name: "Bench", config: { path: folder }, sync_config: MANUAL }
      const made = await node.request(key, "POST", "/v1/connections", connection)
      path = `/v1/connections/${(made as { readonly connection_id: string }).connection_id}/sync`
      await until(() => over(files))
      await until(async () => {
        const status = await node.request(key, "GET", "/v1/knowledge/status") as {
          readonly state: string
          readonly pending_documents: number
        }
        return status.state === "ready" && status.pending_documents === 0
      })
    })
    const { mostMegabytes } = node
    const unchanged: Array<Work> = []
    for (let round = 0; round < RUNS; round++) {
      unchanged.push(
        await measured(async () => {
          await node.request(key, "POST", path)
          await until(() => over(0))
        })
      )
    }
    const again = unchanged.toSorted((left, right) => left.processorSeconds - right.processorSeconds)[RUNS >> 1]!
    return { first, again, mostMegabytes }
  } finally {
    await node.stop()
  }
}
