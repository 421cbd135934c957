import { useQuery } from "@tanstack/react-query"
import type { Webhook } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"

/** Polled often, because somebody may wait for the first delivery. */
const AGAIN = 3_000

export const useWebhooks = () => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "webhooks"],
    queryFn: ({ signal }) => client.webhooks.list({ signal }),
    refetchInterval: AGAIN
  })
}

export const useDeliveries = (webhookId: string) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useQuery({
    queryKey: [workspace_id, "webhooks", webhookId],
    queryFn: ({ signal }) => client.webhooks.deliveries(webhookId, { signal }),
    refetchInterval: AGAIN
  })
}

/** Removes a webhook from the cache at once, so that its deliveries are not requested again. */
export const useWebhookGone = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  return (webhookId: string) =>
    queries.setQueryData<ReadonlyArray<Webhook>>(
      [workspace_id, "webhooks"],
      (webhooks) => webhooks?.filter(({ webhook_id }) => webhook_id !== webhookId)
    )
}

export const useWebhooksChanged = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  return () => queries.invalidateQueries({ queryKey: [workspace_id, "webhooks"] })
}
