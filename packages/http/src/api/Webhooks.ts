/** Webhooks and their deliveries. */
import { WebhookId } from "@tributary/core/model/Id"
import { nextPage } from "@tributary/core/model/Page"
import {
  DeliveryStatus,
  IssuedWebhook,
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookDelivery,
  WebhookPatch
} from "@tributary/core/model/Webhook"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const WEBHOOKS = "/webhooks"
const WEBHOOK = `${WEBHOOKS}/:webhook_id` as const
const DELIVERY = `${WEBHOOK}/deliveries/:event_id` as const
const ofWebhook = { webhook_id: Schema.String }
const ofDelivery = { ...ofWebhook, event_id: Schema.String }

const Deleted = Schema.Struct({ ...outcome("deleted"), webhook_id: WebhookId })
  .annotate({ identifier: "WebhookDeleted" })

// A webhook continues after the token that created it has expired, so tokens cannot create or change one.
export class Webhooks extends HttpApiGroup.make("webhooks").add(
  /**
   * Create a webhook. Sends the events of the workspace to the URL from now on, signed as the Standard Webhooks
   * specification describes. The secret is shown only here. A workspace has at most 20 webhooks. The key also needs the
   * scopes that read such events: `runtime:read` for documents, `connections:read` for syncs, and `knowledge:read` for
   * the context and asks.
   */
  HttpApiEndpoint.post("createWebhook", WEBHOOKS, {
    payload: NewWebhook,
    success: IssuedWebhook.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.BadRequest, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(TokenAccess, "never"),
  /** List webhooks. All of the workspace, newest first, as a bare array, without their secrets. */
  HttpApiEndpoint.get("listWebhooks", WEBHOOKS, { success: Schema.Array(Webhook) })
    .annotate(RequiredScope, ["workspaces:read"]),
  /** Read a webhook. By its id, in upper or lower case, without its secret. */
  HttpApiEndpoint.get("getWebhook", WEBHOOK, {
    params: ofWebhook,
    success: Webhook,
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:read"]),
  /**
   * Change a webhook. A field that is absent or null stays unchanged. A webhook that is activated again resumes where
   * it stopped: document events of the meantime are sent. A new URL or other events need the scopes that read these
   * events, as at creation.
   */
  HttpApiEndpoint.patch("updateWebhook", WEBHOOK, {
    params: ofWebhook,
    payload: WebhookPatch,
    success: Webhook,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(TokenAccess, "never"),
  /** Delete a webhook. Nothing more is sent, and its deliveries are deleted. */
  HttpApiEndpoint.delete("deleteWebhook", WEBHOOK, {
    params: ofWebhook,
    success: Deleted,
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(TokenAccess, "never"),
  /**
   * Rotate a webhook's secret. The new secret is shown only here. For a day, every event is signed with the new and the
   * previous secret.
   */
  HttpApiEndpoint.post("rotateWebhookSecret", `${WEBHOOK}/rotate-secret`, {
    params: ofWebhook,
    payload: SecretRotation,
    success: IssuedWebhook,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(TokenAccess, "never"),
  /**
   * Send a test event. Queues an event of the type `webhook.test`. Read the delivery again a moment later to see the
   * result.
   */
  HttpApiEndpoint.post("testWebhook", `${WEBHOOK}/test`, {
    params: ofWebhook,
    success: WebhookDelivery,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound]
  }).annotate(RequiredScope, ["workspaces:write"]),
  /**
   * List a webhook's deliveries. Newest first, with the body that was sent and the response to the last attempt. They
   * are kept for 30 days, and at most 10,000 finished ones. The key also needs the scopes that read such events, as at
   * creation.
   */
  HttpApiEndpoint.get("listDeliveries", `${WEBHOOK}/deliveries`, {
    params: ofWebhook,
    query: {
      ...Parameters.paging,
      /** Only entries with this status. */
      status: Schema.optionalKey(DeliveryStatus)
    },
    success: Schema.Struct({
      /** The deliveries, newest first. */
      deliveries: Schema.Array(WebhookDelivery),
      ...nextPage
    }),
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:read"]),
  /** Read a delivery. By the id of its event, in upper or lower case. */
  HttpApiEndpoint.get("getDelivery", DELIVERY, {
    params: ofDelivery,
    success: WebhookDelivery,
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:read"]),
  /** Send an event again. Queues the delivery again at once, whatever its status, under the same `webhook-id`. */
  HttpApiEndpoint.post("resendDelivery", `${DELIVERY}/send`, {
    params: ofDelivery,
    success: WebhookDelivery,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound]
  }).annotate(RequiredScope, ["workspaces:write"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
