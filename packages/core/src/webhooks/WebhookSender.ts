/** Sends events. The host provides it, because it decides which addresses may be reached. */
import { Context, Effect, Schema } from "effect"

/** There was no response, or the address is not allowed. The message is for people. */
export class Undeliverable extends Schema.TaggedError<Undeliverable>()("Undeliverable", { message: Schema.String }) {}

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** The start of the body. */
  readonly body: string
  /** As the receiver requests. */
  readonly retryAfterSeconds: number | undefined
}

/** Sends webhooks: `open` takes one as `webhookSender`. */
export interface Sender {
  /** Whether events may be sent to an address, as far as can be checked without sending. */
  check(url: string): Effect.Effect<void, Undeliverable>
  /** Sends one POST with JSON, without following redirects, within some seconds. */
  send(request: WebhookRequest): Effect.Effect<WebhookAnswer, Undeliverable>
}

const NO_SENDER = new Undeliverable({ message: "This server sends no events: its host provides no sender for them." })

/** Sends nothing by default. */
export const WebhookSender = Context.Reference<Sender>("@tributary/core/WebhookSender", {
  defaultValue: () => ({ check: () => Effect.fail(NO_SENDER), send: () => Effect.fail(NO_SENDER) })
})
