import { keepPreviousData } from "@tanstack/react-query"
import type { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

/** Document counts for a range, which may differ from the saved one. */
export const useTimeline = (range: TemporalSettings | undefined) =>
  useWorkspaceQuery(["timeline", range], ({ workspaceId }) => consoleApi.timeline(workspaceId, range!), {
    enabled: range !== undefined,
    // Often while there is nothing, because somebody may wait for the first documents.
    refetchInterval: ({ state: { data } }) => data?.total === 0 ? 2_000 : 10_000,
    placeholderData: keepPreviousData
  })
