/** Files on their way, two at a time. What fails says why, and does not hold up the others. */
import { useRef, useState } from "react"
import { TributaryError } from "@tributary/client"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { uploading } from "../api/uploading.ts"
import { workspaceClient } from "../api/workspaceClient.ts"

export interface Upload {
  readonly id: number
  readonly name: string
  readonly size: number
  /** Bytes that have left; all of them while the service reads what is in the file. */
  readonly sent: number
  readonly state: "waiting" | "sending" | "stored" | "failed"
  readonly fault: string | null
}

const AT_ONCE = 2

export const useUploads = (connectorId: string) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [uploads, setUploads] = useState<ReadonlyArray<Upload>>([])
  const waiting = useRef<Array<{ readonly id: number; readonly file: File }>>([])
  const running = useRef(0)
  const count = useRef(0)

  const set = (id: number, change: Partial<Upload>) =>
    setUploads((uploads) => uploads.map((upload) => upload.id === id ? { ...upload, ...change } : upload))

  const send = async ({ file, id }: { readonly id: number; readonly file: File }) => {
    set(id, { state: "sending" })
    // The form around the file travels, too.
    const onSent = (bytes: number) => set(id, { sent: Math.min(file.size, bytes) })
    try {
      const client = workspaceClient(workspace_id, uploading(onSent))
      // The same file again replaces what it was.
      await client.ingest.file(connectorId, { file, external_id: file.name, timestamp: new Date(file.lastModified) })
      set(id, { state: "stored" })
    } catch (error) {
      const request = error instanceof TributaryError && error.requestId !== null ? ` (request ${error.requestId})` : ""
      set(id, { state: "failed", fault: `${error instanceof Error ? error.message : error}${request}` })
    }
  }

  const work = async () => {
    if (running.current >= AT_ONCE) return
    running.current++
    for (let next = waiting.current.shift(); next !== undefined; next = waiting.current.shift()) await send(next)
    running.current--
    void queries.invalidateQueries({ queryKey: [workspace_id] })
  }

  const add = (files: Iterable<File>) => {
    const added = Array.from(files, (file) => ({ id: ++count.current, file }))
    waiting.current.push(...added)
    setUploads((uploads) => [
      ...uploads,
      ...added.map(({ file: { name, size }, id }) => ({
        id,
        name,
        size,
        sent: 0,
        state: "waiting" as const,
        fault: null
      }))
    ])
    for (let started = 0; started < AT_ONCE; started++) void work()
  }
  return { uploads, add }
}
