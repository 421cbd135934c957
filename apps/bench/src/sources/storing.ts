/** Pulls a folder into the storage of a server, and measures it from outside. */
import { Node } from "../storage/Node.ts"
import { paused } from "../storage/Workspace.ts"

export interface Stored {
  /** The time until everything was stored and found. */
  readonly seconds: number
  readonly processorSeconds: number
  /** The time of a sync without changes. */
  readonly secondsAgain: number
  readonly processorSecondsAgain: number
  /** The memory of the server's process, which also indexes the texts. */
  readonly mostMegabytes: number
}

interface SyncState {
  readonly status: string
  readonly items_ingested: number
  readonly error: string | null
}

const MANUAL = { start: null, interval_minutes: 43_200 }

const MOST_MILLIS = 30 * 60_000

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const began = performance.now(); !await holds(); await paused(200)) {
    if (performance.now() - began > MOST_MILLIS) throw new Error("a sync takes more than half an hour")
  }
}

export const storeFolder = async (
  folder: string,
  files: number,
  settings: Readonly<Record<string, string>>
): Promise<Stored> => {
  const node = await Node.start({ ...settings, TRIBUTARY_FILE_ROOTS: folder })
  try {
    const key = await node.newKey()
    const connection = { provider: "files", name: "Bench", config: { path: folder }, sync_config: MANUAL }
    const [began, worked] = [performance.now(), node.processorSeconds]
    const { connection_id } = await node.request(key, "POST", "/v1/connections", connection) as {
      readonly connection_id: string
    }
    const path = `/v1/connections/${connection_id}/sync`
    const over = async (ingested: number) => {
      const [state] = await node.request(key, "GET", path) as ReadonlyArray<SyncState>
      if (state === undefined || state.status === "pending" || state.status === "running") return false
      if (state.status === "completed" && state.items_ingested === ingested) return true
      throw new Error(`${state.status} with ${state.items_ingested} of ${ingested}: ${state.error}`)
    }
    await until(() => over(files))
    await until(async () => {
      const status = await node.request(key, "GET", "/v1/knowledge/status") as {
        readonly state: string
        readonly pending_documents: number
      }
      return status.state === "ready" && status.pending_documents === 0
    })
    const [ended, mostMegabytes] = [performance.now(), node.mostMegabytes]
    const workedOnce = node.processorSeconds
    await node.request(key, "POST", path)
    await until(() => over(0))
    const secondsAgain = (performance.now() - ended) / 1_000
    return {
      seconds: (ended - began) / 1_000,
      processorSeconds: workedOnce - worked,
      secondsAgain,
      processorSecondsAgain: node.processorSeconds - workedOnce,
      mostMegabytes
    }
  } finally {
    await node.stop()
  }
}
