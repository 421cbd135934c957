/**
 * The workspace's latest events, newest first, and those that follow while the page is open. A stream that breaks off
 * is begun again where it broke off, so that nothing is missed.
 */
import { useQuery } from "@tanstack/react-query"
import type { Event } from "@tributary/client"
import { useEffect, useState } from "react"
import { consoleApi, type WorkspaceEvent } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"

const AGAIN = 2_000

export interface Live {
  /** Undefined until the first have come. */
  readonly events: ReadonlyArray<Event | WorkspaceEvent> | undefined
  readonly connected: boolean
}

const isFirst = <A extends { readonly event_id: string }>({ event_id }: A, index: number, events: ReadonlyArray<A>) =>
  events.findIndex((event) => event.event_id === event_id) === index

export const useLiveEvents = (most: number): Live => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const [live, setLive] = useState<ReadonlyArray<Event>>([])
  const [connected, setConnected] = useState(true)
  const { data } = useQuery({
    queryKey: [workspace_id, "latest-events"],
    queryFn: () => consoleApi.latestEvents(workspace_id)
  })

  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    let after: string | undefined
    let again: ReturnType<typeof setTimeout> | undefined

    const follow = async (): Promise<void> => {
      try {
        const stream = client.events.live({}, { signal, ...(after === undefined ? {} : { after }) })
        for await (const { event, id } of stream) {
          after = id
          setConnected(true)
          setLive((events) => [event, ...events].slice(0, most))
        }
      } catch {
        // Left, or broken off: either way it is begun again unless the page is gone.
        if (!signal.aborted) setConnected(false)
      }
      if (!signal.aborted) again = setTimeout(() => void follow(), AGAIN)
    }
    void follow()
    return () => {
      gone.abort()
      clearTimeout(again)
    }
  }, [client, most])

  return { events: data === undefined ? undefined : [...live, ...data].filter(isFirst).slice(0, most), connected }
}
