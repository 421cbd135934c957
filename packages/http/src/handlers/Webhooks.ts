/** Webhooks and their deliveries. */
import * as Core from "@tributary/core/Webhooks"
import { Effect } from "effect"
import type { Webhooks } from "../api/Webhooks.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

export const webhooks = Effect.map(Core.Webhooks, (webhooks): Handlers<typeof Webhooks> => ({
  createWebhook: ({ caller: { principal, workspace }, payload }) => webhooks.create(workspace, payload, principal),
  listWebhooks: ({ caller: { workspace } }) => webhooks.list(workspace.workspace_id),
  getWebhook: ({ caller: { workspace }, params }) => webhooks.find(workspace.workspace_id, params.webhook_id),
  updateWebhook: ({ caller: { principal, workspace }, params, payload }) =>
    webhooks.update(workspace, params.webhook_id, payload, principal),
  deleteWebhook: ({ caller: { principal, workspace }, params }) =>
    Effect.map(
      webhooks.delete(workspace, params.webhook_id, principal),
      (webhook_id) => ({ status: "deleted" as const, webhook_id })
    ),
  rotateWebhookSecret: ({ caller: { principal, workspace }, params, payload }) =>
    webhooks.rotateSecret(workspace, params.webhook_id, payload?.secret ?? null, principal),
  testWebhook: ({ caller: { workspace }, params }) => webhooks.test(workspace.workspace_id, params.webhook_id),
  listDeliveries: ({ caller: { workspace }, params, query }) =>
    Effect.map(
      webhooks.deliveries(workspace.workspace_id, params.webhook_id, query.status ?? null, toPageRequest(query)),
      page("deliveries")
    ),
  getDelivery: ({ caller: { workspace }, params }) =>
    webhooks.findDelivery(workspace.workspace_id, params.webhook_id, params.event_id),
  resendDelivery: ({ caller: { workspace }, params }) =>
    webhooks.resend(workspace.workspace_id, params.webhook_id, params.event_id)
}))
