/** The webhooks of the backend. Optional: without it there are none, and none can be created. */
import { Effect, Option } from "effect"
import { WebhookStore } from "../ports/WebhookStore.ts"

export const NO_WEBHOOKS = WebhookStore.of({
  insert: () => Effect.succeed("full"),
  find: () => Effect.succeedNone,
  list: () => Effect.succeed([]),
  update: () => Effect.succeedNone,
  reseal: () => Effect.succeed(false),
  remove: () => Effect.succeed(false),
  due: () => Effect.succeed([]),
  wake: () => Effect.void,
  begin: () => Effect.succeedNone,
  append: () => Effect.succeed(false),
  ready: () => Effect.succeed([]),
  backlog: () => Effect.succeed({ pending: 0, next: null }),
  record: () => Effect.succeed(true),
  deliveries: () => Effect.succeed([]),
  findDelivery: () => Effect.succeedNone,
  resend: () => Effect.succeedNone,
  prune: () => Effect.succeed(0)
})

export const webhookStore = Effect.map(Effect.serviceOption(WebhookStore), Option.getOrElse(() => NO_WEBHOOKS))
