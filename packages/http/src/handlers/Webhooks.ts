/** Webhooks and their deliveries. */
import { scopesOfEvents } from "@tributary/core/eventScopes"
import * as Core from "@tributary/core/Webhooks"
import { Effect } from "effect"
import type { Webhooks } from "../api/Webhooks.ts"
import { type Caller, requireScope } from "../middleware/Authorization.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

/** Receiving events, and reading those that were sent, needs the scopes that read what they show. */
const requireEvents = ({ scopes }: Caller, types: ReadonlyArray<string>) =>
  Effect.forEach(scopesOfEvents(types), (needed) => requireScope(scopes, [needed]), { discard: true })

export const webhooks = Effect.map(Core.Webhooks, (webhooks): Handlers<typeof Webhooks> => {
  const findDelivery = (caller: Caller, { event_id, webhook_id }: { event_id: string; webhook_id: string }) =>
    Effect.tap(
      webhooks.findDelivery(caller.workspace.workspace_id, webhook_id, event_id),
      ({ event_type }) => requireEvents(caller, [event_type])
    )

  return {
    createWebhook: ({ caller, payload }) =>
      Effect.andThen(
        requireEvents(caller, payload.event_types),
        webhooks.create(caller.workspace, payload, caller.principal)
      ),
    listWebhooks: ({ caller: { workspace } }) => webhooks.list(workspace.workspace_id),
    getWebhook: ({ caller: { workspace }, params }) => webhooks.find(workspace.workspace_id, params.webhook_id),
    updateWebhook: Effect.fnUntraced(function*({ caller, params: { webhook_id }, payload }) {
      const { principal, workspace } = caller
      if (payload.url || payload.event_types) {
        const { event_types } = yield* webhooks.find(workspace.workspace_id, webhook_id)
        yield* requireEvents(caller, payload.event_types ?? event_types)
      }
      return yield* webhooks.update(workspace, webhook_id, payload, principal)
    }),
    deleteWebhook: ({ caller: { principal, workspace }, params }) =>
      Effect.map(
        webhooks.delete(workspace, params.webhook_id, principal),
        (webhook_id) => ({ status: "deleted" as const, webhook_id })
      ),
    rotateWebhookSecret: ({ caller: { principal, workspace }, params, payload }) =>
      webhooks.rotateSecret(workspace, params.webhook_id, payload?.secret ?? null, principal),
    testWebhook: ({ caller: { workspace }, params }) => webhooks.test(workspace.workspace_id, params.webhook_id),
    listDeliveries: ({ caller, params, query }) =>
      webhooks.deliveries(
        caller.workspace.workspace_id,
        params.webhook_id,
        query.status ?? null,
        toPageRequest(query)
      ).pipe(
        Effect.tap(({ items }) => requireEvents(caller, items.map(({ event_type }) => event_type))),
        Effect.map(page("deliveries"))
      ),
    getDelivery: ({ caller, params }) => findDelivery(caller, params),
    resendDelivery: ({ caller, params }) =>
      Effect.andThen(
        findDelivery(caller, params),
        webhooks.resend(caller.workspace.workspace_id, params.webhook_id, params.event_id)
      )
  }
})
