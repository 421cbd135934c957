/**
 * Webhooks, and the deliveries of events to them.
 *
 * A webhook has a time at which it is due. A change of its workspace's documents makes it due at once, in the same act.
 * Deliveries about the same subject are sent in order: one is due when all before it are finished.
 */
import { Context, type Option } from "effect"
import type { EventId, WebhookId, WorkspaceId } from "../model/Id.ts"
import type { DeliveryAttempt, DeliveryStatus, SentEventType, Webhook } from "../model/Webhook.ts"
import type { FencingToken } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

export interface WebhookRecord extends Webhook {
  /** Encrypted. */
  readonly secrets: string
  /** Failures since the last success. */
  readonly failures: number
  /** Nothing is sent before. */
  readonly paused_until: Date | null
  /** The number of the last event of the workspace's log that became a delivery, or was not wanted. */
  readonly event_seq: number
  /** JSON text: the last reported state of the workspace's usage and keys. */
  readonly noted: string
}

export type WebhookChange = Partial<
  Pick<
    WebhookRecord,
    | "url"
    | "event_types"
    | "status"
    | "error"
    | "failing_since"
    | "failures"
    | "paused_until"
    | "secrets"
    | "previous_secret_expires_at"
  >
>

/** One event to send. */
export interface Message {
  readonly event_id: EventId
  readonly event_type: SentEventType
  /** Its subject. */
  readonly subject: string
  /** JSON text. */
  readonly body: string
  readonly created_at: Date
}

export interface DeliveryRecord extends Message {
  /** Increases in the order in which a webhook's deliveries were appended. */
  readonly seq: number
  readonly status: DeliveryStatus
  readonly attempts: number
  /** Null if there will be none, and while an earlier one of the subject is pending. */
  readonly next_attempt_at: Date | null
  readonly last_attempt: DeliveryAttempt | null
}

export interface WebhookRef {
  readonly workspace_id: WorkspaceId
  readonly webhook_id: WebhookId
}

export class WebhookStore extends Context.Service<WebhookStore, {
  /** Refuses more than `maximum`. Its `event_seq` becomes the number of the workspace's newest event. */
  insert(workspaceId: WorkspaceId, webhook: WebhookRecord, maximum: number): Stored<"inserted" | "full">
  find(workspaceId: WorkspaceId, webhookId: WebhookId): Stored<Option.Option<WebhookRecord>>
  /** Newest first. */
  list(workspaceId: WorkspaceId): Stored<ReadonlyArray<WebhookRecord>>
  /** With `from`, only if that is its status; none if the lease of `fencingToken` is lost. */
  update(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    change: WebhookChange,
    from: Webhook["status"] | null,
    fencingToken?: FencingToken
  ): Stored<Option.Option<WebhookRecord>>
  /** Replaces encrypted secrets; false, without a change, if the stored ones are not `before`. */
  reseal(workspaceId: WorkspaceId, webhookId: WebhookId, before: string, after: string): Stored<boolean>
  /** Deletes it with its deliveries. Returns whether it existed. */
  remove(workspaceId: WorkspaceId, webhookId: WebhookId): Stored<boolean>
  /** Due active webhooks of all workspaces but suspended ones, the longest due first. At most `limit`. */
  due(now: Date, limit: number): Stored<ReadonlyArray<WebhookRef>>
  /** Makes it due at `at`, unless it is due earlier. */
  wake(workspaceId: WorkspaceId, webhookId: WebhookId, at: Date): Stored<void>
  /** Starts to process it: new events make it due again, and otherwise it is due at `until`. */
  begin(workspaceId: WorkspaceId, webhookId: WebhookId, until: Date): Stored<Option.Option<WebhookRecord>>
  /**
   * Appends messages as pending deliveries, in order; an event that has a delivery already is skipped. `moved` is the
   * range of the event log that they cover: false, without a change, if the webhook is not at `from`. Without it, the
   * webhook is due at once. Of finished deliveries, about the newest `kept` are kept.
   */
  append(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    messages: ReadonlyArray<Message>,
    moved: { readonly from: number; readonly to: number; readonly noted: string } | null,
    kept: number
  ): Stored<boolean>
  /** Pending deliveries whose next attempt is due, the longest due first. At most `limit`. */
  ready(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    now: Date,
    limit: number
  ): Stored<ReadonlyArray<DeliveryRecord>>
  /** The number of pending deliveries, counted up to `limit`, and when the next attempt of one is due. */
  backlog(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    limit: number
  ): Stored<{ readonly pending: number; readonly next: Date | null }>
  /**
   * Stores the result of one attempt; false, without a change, if the lease of `fencingToken` is lost. When the
   * delivery is finished, the next one of its subject is due.
   */
  record(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    seq: number,
    result: Pick<DeliveryRecord, "status" | "next_attempt_at"> & { readonly last_attempt: DeliveryAttempt },
    fencingToken?: FencingToken
  ): Stored<boolean>
  /** Newest first, after the given one. */
  deliveries(workspaceId: WorkspaceId, webhookId: WebhookId, options: {
    readonly status: DeliveryStatus | null
    readonly after: number | null
    readonly limit: number
  }): Stored<ReadonlyArray<DeliveryRecord>>
  findDelivery(workspaceId: WorkspaceId, webhookId: WebhookId, eventId: EventId): Stored<Option.Option<DeliveryRecord>>
  /** Makes a delivery, in whatever state, and its webhook pending and due at `now`. */
  resend(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    eventId: EventId,
    now: Date
  ): Stored<Option.Option<DeliveryRecord>>
  /** Deletes finished deliveries of all webhooks that were created before `before`. Returns their number. */
  prune(before: Date): Stored<number>
}>()("@tributary/core/ports/WebhookStore") {}
