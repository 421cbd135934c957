/** The way out of this server for events. The host provides it, because it decides what may be reached. */
import { Context, Effect, Schema } from "effect"

/** Nothing was answered, or the address is none that events may be sent to. The message is a sentence for people. */
export class Undeliverable extends Schema.TaggedError<Undeliverable>()("Undeliverable", { message: Schema.String }) {}

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** How its body begins. */
  readonly body: string
  /** As the receiver asks for. */
  readonly retryAfterSeconds: number | undefined
}

export interface Sender {
  /** Whether events may be sent to an address, as far as can be told without sending any. */
  check(url: string): Effect.Effect<void, Undeliverable>
  /** One POST of JSON. It follows no redirect and takes no longer than some seconds. */
  send(request: WebhookRequest): Effect.Effect<WebhookAnswer, Undeliverable>
}

const NO_SENDER = new Undeliverable({ message: "This server sends no events: its host provides no sender for them." })

/** Sends nothing unless the host provides one. */
export const WebhookSender = Context.Reference<Sender>("@tributary/core/WebhookSender", {
  defaultValue: () => ({ check: () => Effect.fail(NO_SENDER), send: () => Effect.fail(NO_SENDER) })
})
