/** Asked questions on their way to the log: appended in batches, so that no answer waits for the storage. */
import { Effect } from "effect"
import { makeWriteBehind } from "../internal/writeBehind.ts"
import type { AskedQuestion, QuestionStore } from "../ports/QuestionStore.ts"

const DELAY = "1 second"

/** The most questions that wait while the storage is unavailable; then the oldest are dropped. */
const MAX_WAITING = 1_000

const BATCH = 100

export const questionBuffer = Effect.fnUntraced(function*(store: QuestionStore) {
  let waiting: Array<AskedQuestion> = []
  let dropped = 0

  const hold = (questions: ReadonlyArray<AskedQuestion>): void => {
    waiting = questions.slice(-MAX_WAITING)
    dropped += questions.length - waiting.length
  }

  const reportDropped = Effect.suspend(() => {
    if (dropped === 0) return Effect.void
    const questions = dropped
    dropped = 0
    return Effect.annotateLogs(Effect.logWarning("questions were not kept"), { questions })
  })

  const { flush, schedule } = yield* makeWriteBehind({
    delay: DELAY,
    take: () => waiting.length === 0 ? null : waiting.splice(0, BATCH),
    write: (batch: ReadonlyArray<AskedQuestion>) => Effect.andThen(store.append(batch), reportDropped),
    restore: (batch) => hold([...batch, ...waiting])
  })

  return {
    add: (question: AskedQuestion): void => {
      hold([...waiting, question])
      schedule()
    },
    /** Appends all. */
    flush
  }
})
