/** Everything in the memory of the process: nothing to set up, nothing to keep. */
import * as Memory from "@tributary/memory/Memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Store } from "./Store.ts"

export const layer = Layer.merge(
  Memory.layer,
  Layer.succeed(Store, {
    place: "memory: everything is gone when this process ends",
    alone: (task) => task,
    answerCommands: () => Effect.void
  })
)
