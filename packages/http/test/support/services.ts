/** Every service over memory. */
import { JobStore } from "@tributary/core/ports/JobStore"
import * as Core from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Ref } from "effect"

/** Jobs that nobody takes up while the reference is true: what is due stays due, for as long as a test looks at it. */
const jobs = (held: Ref.Ref<boolean>) =>
  Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => ({
      ...store,
      claim: (queues, lease, now) =>
        Effect.flatMap(
          Ref.get(held),
          (held) => held ? Effect.succeedNone : store.claim(queues, lease, now)
        )
    }))
  )

export const tributary = (held: Ref.Ref<boolean>) =>
  Core.layer.pipe(
    Layer.provideMerge(Layer.provideMerge(jobs(held), Memory.layer)),
    Layer.provideMerge(Extract.layer)
  )
