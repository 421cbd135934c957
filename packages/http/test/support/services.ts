/** Every service over memory. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import * as Providers from "@tributary/core/Providers"
import { WebhookSender } from "@tributary/core/WebhookSender"
import * as SecretBox from "@tributary/core/SecretBox"
import * as Core from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Redacted, Ref } from "effect"
import { mailProvider } from "./mailProvider.ts"

/** While the reference is true, no jobs are claimed, so due work stays visible to a test. */
const jobs = (held: Ref.Ref<boolean>) =>
  Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => ({
      ...store,
      claim: (...call) =>
        Effect.flatMap(
          Ref.get(held),
          (held) => held ? Effect.succeedNone : store.claim(...call)
        )
    }))
  )

/** A test's hooks into the event store. */
export interface EventReads {
  /** The number of reads. */
  readonly count: Ref.Ref<number>
  /** Whether reads fail with an unexpected error. */
  readonly broken: Ref.Ref<boolean>
}

export const eventReads: Effect.Effect<EventReads> = Effect.all({ count: Ref.make(0), broken: Ref.make(false) })

const documents = ({ broken, count }: EventReads) =>
  Layer.effect(
    DocumentStore,
    Effect.map(DocumentStore, (store) => ({
      ...store,
      events: (workspaceId, options) =>
        Effect.andThen(
          Ref.update(count, (count) => count + 1),
          Effect.flatMap(
            Ref.get(broken),
            (broken) => broken ? Effect.die(new Error("secret of the store")) : store.events(workspaceId, options)
          )
        )
    }))
  )

/** Accepts every event, at any address. */
const everyReceiver = {
  check: () => Effect.void,
  send: () => Effect.succeed({ status: 204, body: "", retryAfterSeconds: undefined })
}

export const tributary = (held: Ref.Ref<boolean>, reads: EventReads = Effect.runSync(eventReads)) =>
  Core.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provide(Providers.layer([mailProvider])),
    Layer.provide(Layer.succeed(WebhookSender, everyReceiver)),
    Layer.provide(SecretBox.layer([Redacted.make(new Uint8Array(32).fill(7))])),
    Layer.provideMerge(Layer.provideMerge(Layer.merge(jobs(held), documents(reads)), Memory.layer)),
    Layer.provideMerge(Extract.layer)
  )
