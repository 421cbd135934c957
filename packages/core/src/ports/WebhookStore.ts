/**
 * Webhooks, and the deliveries of events to them.
 *
 * A webhook has a moment at which it is due to be looked after. A change of its workspace's documents makes it due at
 * once, in the same act. Deliveries that are about the same subject follow each other: one is due when all before it are
 * over.
 */
import { Context, type Option } from "effect"
import type { EventId, WebhookId, WorkspaceId } from "../model/Id.ts"
import type { DeliveryAttempt, DeliveryStatus, Webhook } from "../model/Webhook.ts"
import type { Stored } from "./Storage.ts"

export interface WebhookRecord extends Webhook {
  /** Sealed. */
  readonly secrets: string
  /** Failures since the last success. */
  readonly failures: number
  /** Nothing is sent before. */
  readonly paused_until: Date | null
  /** The number of the last event of the workspace's log that has become a delivery, or that is not wanted. */
  readonly event_seq: number
  /** JSON text: what was last reported about the workspace's usage and its keys. */
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

/** One event, ready to be sent. */
export interface Message {
  readonly event_id: EventId
  readonly event_type: string
  /** What it is about. */
  readonly subject: string
  /** JSON text. */
  readonly body: string
  readonly created_at: Date
}

export interface DeliveryRecord extends Message {
  /** In the order in which a webhook's deliveries were appended. */
  readonly seq: number
  readonly status: DeliveryStatus
  readonly attempts: number
  /** Null when there will be none, and while an earlier one of the subject is pending. */
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
  /** Only while its status is `from`, when one is given. */
  update(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    change: WebhookChange,
    from: Webhook["status"] | null
  ): Stored<Option.Option<WebhookRecord>>
  /** Puts sealed secrets in the place of `before`, and of no others. Says whether they were there. */
  reseal(workspaceId: WorkspaceId, webhookId: WebhookId, before: string, after: string): Stored<boolean>
  /** With its deliveries. Says whether it was there. */
  remove(workspaceId: WorkspaceId, webhookId: WebhookId): Stored<boolean>
  /** Active webhooks of all workspaces that are due, the longest first. At most `limit`. */
  due(now: Date, limit: number): Stored<ReadonlyArray<WebhookRef>>
  /** Is due at `at`, unless it is sooner. */
  wake(workspaceId: WorkspaceId, webhookId: WebhookId, at: Date): Stored<void>
  /** Begins to look after it: what happens from now on makes it due again, and if nothing does, `until`. */
  begin(workspaceId: WorkspaceId, webhookId: WebhookId, until: Date): Stored<Option.Option<WebhookRecord>>
  /**
   * Adds messages as pending deliveries, in their order; one of an event that has a delivery already is passed over.
   * `moved` says which events of the log they are: false, with nothing changed, when the webhook is not at `from`.
   * Without it, the webhook is due at once. Of deliveries that are over, the newest `kept` or so are kept.
   */
  append(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    messages: ReadonlyArray<Message>,
    moved: { readonly from: number; readonly to: number; readonly noted: string } | null,
    kept: number
  ): Stored<boolean>
  /** Pending deliveries whose next attempt is due, the longest first. At most `limit`. */
  ready(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    now: Date,
    limit: number
  ): Stored<ReadonlyArray<DeliveryRecord>>
  /** How many deliveries are pending, counted no further than `limit`, and when the next attempt of one is due. */
  backlog(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    limit: number
  ): Stored<{ readonly pending: number; readonly next: Date | null }>
  /** Notes one attempt. When the delivery is over, the next one of its subject is due. */
  record(workspaceId: WorkspaceId, webhookId: WebhookId, seq: number, result: {
    readonly status: DeliveryStatus
    readonly next_attempt_at: Date | null
    readonly last_attempt: DeliveryAttempt
  }): Stored<void>
  /** Newest first, after the given one. */
  deliveries(workspaceId: WorkspaceId, webhookId: WebhookId, options: {
    readonly status: DeliveryStatus | null
    readonly after: number | null
    readonly limit: number
  }): Stored<ReadonlyArray<DeliveryRecord>>
  findDelivery(workspaceId: WorkspaceId, webhookId: WebhookId, eventId: EventId): Stored<Option.Option<DeliveryRecord>>
  /** Makes a delivery pending and due at `now`, whatever became of it, and so its webhook. */
  resend(
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    eventId: EventId,
    now: Date
  ): Stored<Option.Option<DeliveryRecord>>
  /** Forgets deliveries of all webhooks that are over and were made before `before`; says how many. */
  prune(before: Date): Stored<number>
}>()("@tributary/core/ports/WebhookStore") {}
