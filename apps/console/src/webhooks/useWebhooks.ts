import type { Webhook } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"

/** Polled often, because somebody may wait for the first delivery. */
const OFTEN = { refetchInterval: 3_000 }

export const useWebhooks = () =>
  useWorkspaceQuery(["webhooks"], ({ client, signal }) => client.webhooks.list({ signal }), OFTEN)

export const useDeliveries = (webhookId: string) =>
  useWorkspaceQuery(
    ["webhooks", webhookId],
    ({ client, signal }) => client.webhooks.deliveries(webhookId, { signal }),
    OFTEN
  )

/** Removes a webhook from the cache at once, so that its deliveries are not requested again. */
export const useEvictWebhook = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  return (webhookId: string) =>
    queries.setQueryData<ReadonlyArray<Webhook>>(
      [workspace_id, "webhooks"],
      (webhooks) => webhooks?.filter(({ webhook_id }) => webhook_id !== webhookId)
    )
}
