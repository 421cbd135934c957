/** Webhooks and their deliveries. */
import { WebhookId } from "@tributary/core/model/Id"
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
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const WEBHOOKS = "/webhooks"
const WEBHOOK = `${WEBHOOKS}/:webhook_id` as const
const DELIVERY = `${WEBHOOK}/deliveries/:event_id` as const
const ofWebhook = { webhook_id: Schema.String }
const ofDelivery = { ...ofWebhook, event_id: Schema.String }

const Deleted = Schema.Struct({ status: Schema.Literal("deleted"), webhook_id: WebhookId })
  .annotate({ identifier: "WebhookDeleted" })

// A webhook continues after the token that created it has expired, so tokens cannot create or change one.
export class Webhooks extends HttpApiGroup.make("webhooks").add(
  HttpApiEndpoint.post("createWebhook", WEBHOOKS, {
    payload: NewWebhook,
    success: IssuedWebhook.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.BadRequest, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(ForTokens, "never"),
  HttpApiEndpoint.get("listWebhooks", WEBHOOKS, { success: Schema.Array(Webhook) })
    .annotate(RequiredScope, ["workspaces:read"]),
  HttpApiEndpoint.get("getWebhook", WEBHOOK, {
    params: ofWebhook,
    success: Webhook,
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:read"]),
  HttpApiEndpoint.patch("updateWebhook", WEBHOOK, {
    params: ofWebhook,
    payload: WebhookPatch,
    success: Webhook,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(ForTokens, "never"),
  HttpApiEndpoint.delete("deleteWebhook", WEBHOOK, {
    params: ofWebhook,
    success: Deleted,
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(ForTokens, "never"),
  HttpApiEndpoint.post("rotateWebhookSecret", `${WEBHOOK}/rotate-secret`, {
    params: ofWebhook,
    payload: SecretRotation,
    success: IssuedWebhook,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["workspaces:write"]).annotate(ForTokens, "never"),
  HttpApiEndpoint.post("testWebhook", `${WEBHOOK}/test`, {
    params: ofWebhook,
    success: WebhookDelivery,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound]
  }).annotate(RequiredScope, ["workspaces:write"]),
  HttpApiEndpoint.get("listDeliveries", `${WEBHOOK}/deliveries`, {
    params: ofWebhook,
    query: { ...Parameters.paging, status: Schema.optionalKey(DeliveryStatus) },
    success: Schema.Struct({
      deliveries: Schema.Array(WebhookDelivery),
      next_cursor: Schema.NullOr(Schema.String)
    }),
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:read"]),
  HttpApiEndpoint.get("getDelivery", DELIVERY, {
    params: ofDelivery,
    success: WebhookDelivery,
    error: ErrorBody.WebhookNotFound
  }).annotate(RequiredScope, ["workspaces:read"]),
  HttpApiEndpoint.post("resendDelivery", `${DELIVERY}/send`, {
    params: ofDelivery,
    success: WebhookDelivery,
    error: [ErrorBody.BadRequest, ErrorBody.WebhookNotFound]
  }).annotate(RequiredScope, ["workspaces:write"])
).prefix("/v1").middleware(Validation).middleware(Authorization) {}
