/** Webhooks and their deliveries. */
import type { DeliveryStatus, NewWebhook, WebhookPatch } from "@tributary/core/model/Webhook"
import { type CallOptions, omitUndefined } from "../calling.ts"
import { FOLLOWING, type Following, following } from "../following.ts"
import { checkNames } from "../optionNames.ts"
import type { Listing } from "../paging.ts"
import type { IssuedWebhook, Webhook, WebhookDelivery } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"

export const webhooks = ({ api, call, pages }: ConnectedClient) => {
  const deliveriesOf = (
    webhook_id: string,
    query: { readonly status?: DeliveryStatus },
    options: Listing
  ): Pages<WebhookDelivery> =>
    pages("deliveries", query, options, (query) => api.webhooks.listDeliveries({ params: { webhook_id }, query }))

  return {
    /** The secret is shown here once. */
    create: (webhook: NewWebhook, options?: CallOptions): Promise<IssuedWebhook> =>
      call(api.webhooks.createWebhook({ payload: omitUndefined(webhook) }), options),
    list: (options?: CallOptions): Promise<ReadonlyArray<Webhook>> => call(api.webhooks.listWebhooks(), options),
    get: (webhook_id: string, options?: CallOptions): Promise<Webhook> =>
      call(api.webhooks.getWebhook({ params: { webhook_id } }), options),
    update: (webhook_id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook> =>
      call(api.webhooks.updateWebhook({ params: { webhook_id }, payload: omitUndefined(patch) }), options),
    delete: (
      webhook_id: string,
      options?: CallOptions
    ): Promise<{ readonly status: "deleted"; readonly webhook_id: string }> =>
      call(api.webhooks.deleteWebhook({ params: { webhook_id } }), options),
    /** The secret before signs as well for a day. */
    rotateSecret: (
      webhook_id: string,
      request: { readonly secret?: string } = {},
      options?: CallOptions
    ): Promise<IssuedWebhook> =>
      call(api.webhooks.rotateWebhookSecret({ params: { webhook_id }, payload: omitUndefined(request) }), options),
    /** Queues a test event; `delivery` shows what came of it. */
    test: (webhook_id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call(api.webhooks.testWebhook({ params: { webhook_id } }), options),
    /** Newest first. */
    deliveries: (
      webhook_id: string,
      query: { readonly status?: DeliveryStatus } = {},
      options: Listing = {}
    ): Pages<WebhookDelivery> => deliveriesOf(webhook_id, query, options),
    /**
     * Deliveries of every kind of event as they are queued, oldest first: from now on, or from after that of an
     * earlier event. Ends with an error or by leaving it.
     */
    live: (webhook_id: string, options: Following = {}): AsyncIterable<WebhookDelivery> => {
      checkNames(FOLLOWING, options)
      const { signal, timeout } = options
      const list = () => deliveriesOf(webhook_id, {}, { signal, timeout, limit: 100 })
      return following(list, ({ event_id }) => event_id, options)
    },
    delivery: (webhook_id: string, event_id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call(api.webhooks.getDelivery({ params: { webhook_id, event_id } }), options),
    /** Queues the delivery again at once, whatever its status. */
    resend: (webhook_id: string, event_id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call(api.webhooks.resendDelivery({ params: { webhook_id, event_id } }), options)
  }
}
