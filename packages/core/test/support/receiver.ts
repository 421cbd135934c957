/** A receiver of events in this process, that answers as a test says, and the service that sends to it. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Clock, Effect, Layer, Option } from "effect"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import type { WebhookEventType } from "../../src/model/Webhook.ts"
import type { WorkspacePatch } from "../../src/model/Workspace.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import type { Answerer } from "../../src/ports/Answerer.ts"
import type { Provider } from "../../src/ports/Provider.ts"
import { WorkspaceStore } from "../../src/ports/WorkspaceStore.ts"
import * as Providers from "../../src/sync/Providers.ts"
import * as SecretBox from "../../src/secrets/SecretBox.ts"
import * as Tributary from "../../src/Tributary.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { type Sender, Undeliverable, type WebhookAnswer, WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { key, store, until } from "./connecting.ts"
import { extractor } from "./wholeService.ts"

interface Got {
  readonly at: number
  readonly id: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

export const answered = (status: number, retryAfterSeconds?: number): WebhookAnswer => ({
  status,
  body: `status ${status}`,
  retryAfterSeconds
})

export interface Receiver extends Sender {
  /** The requests, in order. */
  readonly got: Array<Got>
  /** Decides on each event; takes all of them by default. */
  answer: (got: Got) => WebhookAnswer | "unreachable"
}

export const newReceiver = (): Receiver => {
  const receiver: Receiver = {
    got: [],
    answer: () => answered(204),
    check: (url) =>
      url.includes("private")
        ? Effect.fail(new Undeliverable({ message: "private.example is a private address." }))
        : Effect.void,
    send: ({ body, headers, url }) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        const got = { at, id: headers["webhook-id"]!, url, headers, body, event: JSON.parse(body) }
        receiver.got.push(got)
        const answer = receiver.answer(got)
        return answer === "unreachable"
          ? Effect.fail(new Undeliverable({ message: "The receiver cannot be reached." }))
          : Effect.succeed(answer)
      })
  }
  return receiver
}

/** One server process over the ports. */
export const node = (
  receiver: Receiver,
  providers: ReadonlyArray<Provider> = [],
  answerer: Layer.Layer<Answerer> = ExtractiveAnswerer.layer
) =>
  Layer.fresh(Tributary.layer).pipe(
    Layer.provide(Providers.layer(providers)),
    Layer.provide(answerer),
    Layer.provide(SecretBox.layer([key(1)])),
    Layer.provide(Layer.succeed(WebhookSender, receiver)),
    Layer.provide(extractor)
  )

/** A test with a separate receiver and service. */
export const withReceiver = <A, E, R>(
  test: (receiver: Receiver) => Effect.Effect<A, E, R>,
  providers: ReadonlyArray<Provider> = []
) =>
() => {
  const receiver = newReceiver()
  return Effect.provide(test(receiver), Layer.provideMerge(node(receiver, providers), store))
}

export const ALL = ["document.created", "document.updated", "document.deleted"] as const

/** The type and document of each event, in the order in which they were sent. */
export const receivedBy = ({ got }: Receiver) =>
  got.map(({ event: { data, type } }) => `${type} ${String(data["external_id"])}`)

/** A workspace with a connector, and a webhook of these events. */
export const hooked = Effect.fnUntraced(function*(
  event_types: ReadonlyArray<WebhookEventType>,
  limits: NonNullable<WorkspacePatch["limits"]> = {}
) {
  const workspaces = yield* Workspaces
  const webhooks = yield* Webhooks
  const ingest = yield* Ingest
  const { personal_workspace } = yield* workspaces.createAccount({ name: "Ada", tier: "pro" })
  const id = personal_workspace.workspace_id
  yield* workspaces.update(id, { limits })
  const workspace = Option.getOrThrow(yield* (yield* WorkspaceStore).find(id))
  const connector = yield* (yield* Connectors).create(
    personal_workspace,
    { name: "Notes", source_name: "notes" },
    OPERATOR
  )
  const webhook = yield* webhooks.create(workspace, { url: "https://example.com/hook", event_types }, OPERATOR)
  const find = webhooks.find(id, webhook.webhook_id)
  return {
    id,
    workspace,
    webhook,
    webhooks,
    find,
    deliveries: Effect.map(
      webhooks.deliveries(id, webhook.webhook_id, null, { limit: 100, cursor: null }),
      ({ items }) => items
    ),
    put: (external_id: string, text: string) => ingest.text(workspace, connector.connector_id, [{ external_id, text }])
  }
})

/** Lets time pass until as many events were sent. */
export const received = (receiver: Receiver, count: number) => until(Effect.sync(() => receiver.got.length >= count))

/**
 * Throws unless the official library accepts it. The library checks the time by the machine's clock, so that one shows
 * the time of the test's.
 */
export const verified = (secret: string, { at, body, headers }: Got): unknown => {
  const now = Date.now
  Date.now = () => at
  try {
    return new StandardWebhook(secret).verify(body, { ...headers })
  } finally {
    Date.now = now
  }
}
