/**
 * Long work in slices. One slice runs per turn of the event loop, however much work there is at once, so that others
 * wait no longer for many large requests than for one.
 */
import { Effect } from "effect"

/** Milliseconds of work per slice. */
const SLICE = 8

/** Runs it in a later turn of the event loop. */
export const later = (globalThis as { readonly setImmediate?: (task: () => void) => unknown }).setImmediate ??
  ((task: () => void) => setTimeout(task, 0))

// The event loop belongs to the process, and so does its queue.
const waiting: Array<() => void> = []
let isTurning = false

const turn = (): void => {
  const next = waiting.shift()
  isTurning = next !== undefined
  if (next === undefined) return
  later(turn)
  next()
}

/** Other slices wait for the next turn. */
const occupyTurn = (): void => {
  if (isTurning) return
  isTurning = true
  later(turn)
}

/** Continues in a turn of the event loop that no other slice shares. */
const nextTurn: Effect.Effect<void> = Effect.callback((resume) => {
  waiting.push(() => resume(Effect.void))
  occupyTurn()
})

const current = { isEnded: false }

/** Ends the slice at the next `yield`, before one long step. */
export const endSlice = (): void => {
  current.isEnded = true
}

/** Runs generators that pause at each `yield`, as the work of one request. */
export const makeSlices = () => {
  let until = performance.now() + SLICE

  const next = Effect.map(nextTurn, () => {
    until = performance.now() + SLICE
  })

  const run = <A>(work: Generator<void, A>): Effect.Effect<A> =>
    Effect.suspend(() => {
      current.isEnded = false
      do {
        const { done, value } = work.next()
        if (done === true) return Effect.succeed(value)
      } while (!current.isEnded && performance.now() < until)
      return Effect.andThen(next, run(work))
    })

  return run
}
export type Slices = ReturnType<typeof makeSlices>

/** Runs a generator that pauses at each `yield`. */
export const inSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    if (isTurning) return Effect.flatMap(nextTurn, () => makeSlices()(work))
    occupyTurn()
    return makeSlices()(work)
  })
