import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"

/** Document counts for a range, which may differ from the saved one. */
export const useTimeline = (range: TemporalSettings | undefined) => {
  const { workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "timeline", range],
    queryFn: () => consoleApi.timeline(workspace_id, range!),
    enabled: range !== undefined,
    placeholderData: keepPreviousData
  })
}
