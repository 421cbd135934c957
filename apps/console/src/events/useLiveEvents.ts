/** The workspace's latest events, newest first, and those that follow while the page is in sight. */
import { type UseQueryResult } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { canFollow, followEvents } from "../api/events/followEvents.ts"
import type { WorkspaceEvent } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"

const POLL = 5_000

export interface Live {
  /** Undefined until the first ones are loaded. */
  readonly events: ReadonlyArray<WorkspaceEvent> | undefined
  readonly connected: boolean
  /** The request for the first ones. */
  readonly latest: UseQueryResult<ReadonlyArray<WorkspaceEvent>>
}

const isFirst = <A extends { readonly event_id: string }>({ event_id }: A, index: number, events: ReadonlyArray<A>) =>
  events.findIndex((event) => event.event_id === event_id) === index

/** Ids grow with time. */
const byNewest = (left: { readonly event_id: string }, right: { readonly event_id: string }): number =>
  right.event_id < left.event_id ? -1 : 1

export const useLiveEvents = (most: number): Live => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [live, setLive] = useState<ReadonlyArray<WorkspaceEvent>>([])
  const [connected, setConnected] = useState(true)
  const latest = useWorkspaceQuery(["latest-events"], ({ workspaceId }) => consoleApi.latestEvents(workspaceId), {
    refetchInterval: canFollow() ? false : POLL
  })

  useEffect(() => {
    if (!canFollow()) return undefined
    return followEvents(workspace_id, {
      onEvent: (event) => setLive((events) => [event, ...events].slice(0, most)),
      onConnected: setConnected,
      onStart: () => void queries.invalidateQueries({ queryKey: [workspace_id, "latest-events"] })
    })
  }, [workspace_id, most])

  const events = latest.data === undefined
    ? undefined
    : [...live, ...latest.data].filter(isFirst).toSorted(byNewest).slice(0, most)
  return { events, connected, latest }
}
