/** Webhooks and their deliveries. */
import type { DeliveryStatus } from "@tributary/core/model/Webhook"
import { type CallOptions, omitUndefined } from "../calling.ts"
import { FOLLOWING, type Following, following } from "../following.ts"
import { checkNames } from "../optionNames.ts"
import type { Listing } from "../paging.ts"
import type { IssuedWebhook, Webhook, WebhookDelivery } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { NewWebhook, WebhookPatch } from "../requests/requests.ts"

export const webhooks = ({ api, call, pages }: ConnectedClient) => {
  const deliveriesOf = (
    webhook_id: string,
    query: { readonly status?: DeliveryStatus | undefined },
    options: Listing
  ): Pages<WebhookDelivery> =>
    pages(
      "deliveries",
      query,
      options,
      (query) => api.webhooks.listDeliveries({ params: { webhook_id }, query: omitUndefined(query) })
    )

  return {
    /** Sends the events of the workspace to an address from now on. The `secret` that signs them is shown only here. */
    create: (webhook: NewWebhook, options?: CallOptions): Promise<IssuedWebhook> =>
      call(api.webhooks.createWebhook({ payload: omitUndefined(webhook) }), options),
    /** All webhooks of the workspace, newest first, without their secrets. */
    list: (options?: CallOptions): Promise<ReadonlyArray<Webhook>> => call(api.webhooks.listWebhooks(), options),
    /** A webhook by its id, without its secret. Rejects with a `NotFoundError` if it does not exist. */
    get: (webhook_id: string, options?: CallOptions): Promise<Webhook> =>
      call(api.webhooks.getWebhook({ params: { webhook_id } }), options),
    /**
     * Changes the fields that are given. A webhook that is activated again sends the document events of the meantime.
     */
    update: (webhook_id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook> =>
      call(api.webhooks.updateWebhook({ params: { webhook_id }, payload: omitUndefined(patch) }), options),
    /** Deletes a webhook with its deliveries. Nothing more is sent. */
    delete: (
      webhook_id: string,
      options?: CallOptions
    ): Promise<{ readonly status: "deleted"; readonly webhook_id: string }> =>
      call(api.webhooks.deleteWebhook({ params: { webhook_id } }), options),
    /** Replaces the secret; the new one is shown only here. For a day, events are signed with both. */
    rotateSecret: (
      webhook_id: string,
      request: { readonly secret?: string | undefined } = {},
      options?: CallOptions
    ): Promise<IssuedWebhook> =>
      call(api.webhooks.rotateWebhookSecret({ params: { webhook_id }, payload: omitUndefined(request) }), options),
    /** Queues a test event; `delivery` with its `event_id` shows the result. */
    test: (webhook_id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call(api.webhooks.testWebhook({ params: { webhook_id } }), options),
    /** The deliveries of a webhook, newest first, each with the body that was sent and the last response. */
    deliveries: (
      webhook_id: string,
      query: { readonly status?: DeliveryStatus | undefined } = {},
      options: Listing = {}
    ): Pages<WebhookDelivery> => deliveriesOf(webhook_id, query, options),
    /**
     * Deliveries as they are queued, oldest first: from now on, or from after that of the event `after`. Runs until
     * the loop is left; an error, or the reason of an aborted signal, is thrown.
     */
    live: (webhook_id: string, options: Following = {}): AsyncIterable<WebhookDelivery> => {
      checkNames(FOLLOWING, options)
      const { signal, timeout } = options
      const list = () => deliveriesOf(webhook_id, {}, { signal, timeout, limit: 100 })
      return following(list, ({ event_id }) => event_id, options)
    },
    /** A delivery by the id of its event. Rejects with a `NotFoundError` if it does not exist. */
    delivery: (webhook_id: string, event_id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call(api.webhooks.getDelivery({ params: { webhook_id, event_id } }), options),
    /** Queues a delivery again at once, whatever its status. */
    resend: (webhook_id: string, event_id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call(api.webhooks.resendDelivery({ params: { webhook_id, event_id } }), options)
  }
}
