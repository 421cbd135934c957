/** The processor time that builds the search index, which the compared servers do not have. */
import { IndexBuilder, type SegmentBuilding, type SegmentDraft } from "@tributary/core/ports/IndexBuilder"
import { Effect, Layer } from "effect"
import { cpuTime } from "../cpuTime.ts"

let spent = 0

/** In microseconds. */
export const indexTime = (): number => spent

/** The default builder runs in the calling thread, without pauses. */
const counted = <A>(work: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const before = cpuTime()
    return Effect.onExit(work, () =>
      Effect.sync(() => {
        spent += cpuTime() - before
      }))
  })

const builder = IndexBuilder.defaultValue()

const building: SegmentBuilding = {
  build: (documents) => counted(builder.build(documents)),
  merge: (parts) => counted(builder.merge(parts)),
  draft: Effect.map(builder.draft, (draft): SegmentDraft => ({
    add: (documents) => counted(draft.add(documents)),
    finish: counted(draft.finish)
  }))
}

export const layer = Layer.succeed(IndexBuilder, building)
