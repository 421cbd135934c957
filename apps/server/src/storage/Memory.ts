/** Everything in the memory of the process. */
import * as Memory from "@tributary/memory/Memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Store } from "./Store.ts"

export const layer = Layer.merge(
  Memory.layer,
  Layer.succeed(Store, {
    place: "memory: all data is lost when this process ends",
    exclusively: (task) => task,
    answerCommands: () => Effect.void
  })
)
