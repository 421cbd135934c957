/** Settings and state of the knowledge context, polled often during a build. */
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"

export const useSettings = () =>
  useWorkspaceQuery(["settings"], ({ client, signal }) => client.knowledge.settings({ signal }), {
    refetchInterval: 10_000
  })

export const useStatus = () =>
  useWorkspaceQuery(["status"], ({ client, signal }) => client.knowledge.status({ signal }), {
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.state === "ready" && data.pending_documents === 0 ? 5_000 : 1_000
  })
