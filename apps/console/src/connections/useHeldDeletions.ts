/** How many deletions of each connection wait for confirmation. */
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

/** Milliseconds between polls. Seldom, because held deletions are not urgent. */
const SELDOM = 60_000

export const useHeldDeletions = () =>
  useWorkspaceQuery(
    // With the connections, so that a confirmation is seen at once.
    ["connections", "held"],
    async ({ workspaceId }) =>
      new Map(
        (await consoleApi.heldDeletions(workspaceId)).map(({ connection_id, deletions_held }) =>
          [connection_id, deletions_held] as const
        )
      ),
    { refetchInterval: SELDOM }
  )
