/** Webhooks: events of a workspace, sent with a signature, at least once and in order per document. */
import { Clock, Context, Effect, Layer, Struct } from "effect"
import { changeWebhook, findWebhook } from "./findWebhook.ts"
import { webhookDeliveries } from "./webhookDeliveries.ts"
import { HEALTHY } from "./run/checkReceiver.ts"
import { newWebhookSecret, openSecrets, sealSecrets } from "./webhookSecrets.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { BadRequest, type StorageUnavailable, Unprocessable, WebhookNotFound } from "../model/Error.ts"
import type { WebhookId, WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { Principal } from "../model/Principal.ts"
import { DAY } from "../model/Day.ts"
import {
  type DeliveryStatus,
  type IssuedWebhook,
  MAX_WEBHOOKS,
  type NewWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookPatch
} from "../model/Webhook.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { auditing } from "../people/auditing.ts"
import type { WebhookRecord } from "../ports/WebhookStore.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { NO_WEBHOOKS, webhookStore } from "./webhookStore.ts"

const shown = (record: WebhookRecord): Webhook =>
  Struct.omit(record, ["secrets", "failures", "paused_until", "event_seq", "noted"])

const badRequest = ({ message }: { readonly message: string }) => new BadRequest({ message })

const KEEPS_NONE = new BadRequest({ message: "This server keeps no webhooks." })

type Absent = WebhookNotFound | StorageUnavailable

export class Webhooks extends Context.Service<Webhooks, {
  /** `BadRequest`: the address is not allowed. `Unprocessable`: too many webhooks. */
  create(
    workspace: WorkspaceRecord,
    wanted: NewWebhook,
    by: Principal
  ): Effect.Effect<IssuedWebhook, BadRequest | Unprocessable | StorageUnavailable>
  /** Newest first. */
  list(workspaceId: WorkspaceId): Effect.Effect<ReadonlyArray<Webhook>, StorageUnavailable>
  find(workspaceId: WorkspaceId, webhookId: string): Effect.Effect<Webhook, Absent>
  /** A webhook that is made active continues where it stopped. */
  update(
    workspace: WorkspaceRecord,
    webhookId: string,
    patch: WebhookPatch,
    by: Principal
  ): Effect.Effect<Webhook, BadRequest | Absent>
  delete(workspace: WorkspaceRecord, webhookId: string, by: Principal): Effect.Effect<WebhookId, Absent>
  /** The previous secret also signs for a day. */
  rotateSecret(
    workspace: WorkspaceRecord,
    webhookId: string,
    secret: string | null,
    by: Principal
  ): Effect.Effect<IssuedWebhook, BadRequest | Absent>
  /** Queues an event without content. */
  test(workspaceId: WorkspaceId, webhookId: string): Effect.Effect<WebhookDelivery, BadRequest | Absent>
  /** Newest first. */
  deliveries(
    workspaceId: WorkspaceId,
    webhookId: string,
    status: DeliveryStatus | null,
    page: PageRequest
  ): Effect.Effect<Page<WebhookDelivery>, InvalidCursor | Absent>
  findDelivery(workspaceId: WorkspaceId, webhookId: string, eventId: string): Effect.Effect<WebhookDelivery, Absent>
  /** Queues a delivery again, in whatever state. */
  resend(
    workspaceId: WorkspaceId,
    webhookId: string,
    eventId: string
  ): Effect.Effect<WebhookDelivery, BadRequest | Absent>
}>()("@tributary/core/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function*() {
      const store = yield* webhookStore
      const box = yield* SecretBox
      const sender = yield* WebhookSender
      const audit = yield* auditing

      const check = (url: string) => Effect.mapError(sender.check(url), badRequest)

      const create = Effect.fn("Webhooks.create")(
        function*(workspace: WorkspaceRecord, { event_types, secret, url }: NewWebhook, by: Principal) {
          if (store === NO_WEBHOOKS) return yield* KEEPS_NONE
          yield* check(url)
          const { workspace_id } = workspace
          const now = yield* Clock.currentTimeMillis
          const webhook_id = uuid7<WebhookId>(now)
          const current = secret ?? newWebhookSecret()
          const sealed = sealSecrets(box, workspace_id, webhook_id, { current, previous: null })
          const webhook: WebhookRecord = {
            ...HEALTHY,
            webhook_id,
            url,
            event_types: [...new Set(event_types)],
            status: "active",
            previous_secret_expires_at: null,
            created_at: new Date(now),
            created_by: by,
            secrets: yield* Effect.mapError(sealed, badRequest),
            event_seq: 0,
            noted: "{}"
          }
          const inserted = audit(store.insert(workspace_id, webhook, MAX_WEBHOOKS), {
            action: "webhook.created",
            by,
            in: workspace,
            subject: webhook_id,
            details: { url }
          })
          if ((yield* inserted) === "full") {
            return yield* new Unprocessable({ message: `A workspace holds at most ${MAX_WEBHOOKS} webhooks.` })
          }
          return { ...shown(webhook), secret: current }
        }
      )

      const update = Effect.fn("Webhooks.update")(
        function*(workspace: WorkspaceRecord, webhookId: string, patch: WebhookPatch, by: Principal) {
          const { workspace_id } = workspace
          const present = yield* findWebhook(store, workspace_id, webhookId)
          const { webhook_id } = present
          const { event_types, status, url } = patch
          if (!event_types && !status && !url) return shown(present)
          if (url) yield* check(url)
          const changed = changeWebhook(store, workspace_id, webhook_id, {
            ...(url ? { url } : {}),
            ...(event_types ? { event_types: [...new Set(event_types)] } : {}),
            ...(status ? { status } : {}),
            // Either change means that the problem was fixed.
            ...(url || status ? HEALTHY : {})
          })
          const record = yield* audit(changed, { action: "webhook.changed", by, in: workspace, subject: webhook_id })
          yield* store.wake(workspace_id, webhook_id, new Date(yield* Clock.currentTimeMillis))
          return shown(record)
        }
      )

      const remove = Effect.fn("Webhooks.delete")(
        function*(workspace: WorkspaceRecord, webhookId: string, by: Principal) {
          const { url, webhook_id } = yield* findWebhook(store, workspace.workspace_id, webhookId)
          const removed = audit(store.remove(workspace.workspace_id, webhook_id), {
            action: "webhook.deleted",
            by,
            in: workspace,
            subject: webhook_id,
            details: { url }
          })
          return (yield* removed) ? webhook_id : yield* new WebhookNotFound()
        }
      )

      const rotateSecret = Effect.fn("Webhooks.rotateSecret")(
        function*(workspace: WorkspaceRecord, webhookId: string, secret: string | null, by: Principal) {
          const { workspace_id } = workspace
          const present = yield* findWebhook(store, workspace_id, webhookId)
          const { webhook_id } = present
          const { secrets } = yield* Effect.mapError(openSecrets(box, workspace_id, present), badRequest)
          const current = secret ?? newWebhookSecret()
          const sealed = sealSecrets(box, workspace_id, webhook_id, { current, previous: secrets.current })
          const changed = changeWebhook(store, workspace_id, webhook_id, {
            secrets: yield* Effect.mapError(sealed, badRequest),
            previous_secret_expires_at: new Date((yield* Clock.currentTimeMillis) + DAY)
          })
          const note = { action: "webhook.secret_rotated", by, in: workspace, subject: webhook_id } as const
          const record = yield* audit(changed, note)
          return { ...shown(record), secret: current }
        }
      )

      return Webhooks.of({
        create,
        list: Effect.fn("Webhooks.list")((workspaceId: WorkspaceId) =>
          Effect.map(store.list(workspaceId), (records) => records.map(shown))
        ),
        find: Effect.fn("Webhooks.find")((workspaceId: WorkspaceId, webhookId: string) =>
          Effect.map(findWebhook(store, workspaceId, webhookId), shown)
        ),
        update,
        delete: remove,
        rotateSecret,
        ...(yield* webhookDeliveries)
      })
    })
  )
}
