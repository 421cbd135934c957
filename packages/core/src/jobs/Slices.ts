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

// The event loop belongs to the process, and so do its queue and the end of the slice in this turn.
const waiting: Array<() => void> = []
let isTurning = false
let until = 0

const turn = (): void => {
  const next = waiting.shift()
  isTurning = next !== undefined
  if (next === undefined) return
  later(turn)
  until = performance.now() + SLICE
  next()
}

/** Other slices wait for the next turn. */
const occupyTurn = (): void => {
  if (isTurning) return
  isTurning = true
  later(turn)
  until = performance.now() + SLICE
}

/** Continues in a turn of the event loop that no other slice shares. */
const nextTurn: Effect.Effect<void> = Effect.callback((resume) => {
  waiting.push(() => resume(Effect.void))
  occupyTurn()
})

/** Ends the slice at the next `yield`, before one long step. */
export const endSlice = (): void => {
  until = 0
}

/** Continues in this turn while its slice lasts, otherwise in a later one. */
export const yieldIfOver: Effect.Effect<void> = Effect.suspend(() => {
  occupyTurn()
  return performance.now() < until ? Effect.void : nextTurn
})

/**
 * Runs a generator that pauses at each `yield`, in what is left of this turn's slice and further ones: requests after
 * one another in one turn have one slice together.
 */
export const inSharedSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    occupyTurn()
    do {
      const { done, value } = work.next()
      if (done === true) return Effect.succeed(value)
    } while (performance.now() < until)
    return Effect.andThen(nextTurn, inSharedSlices(work))
  })

/** Runs a generator that pauses at each `yield`, in slices of its own. */
export const inSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => isTurning ? Effect.andThen(nextTurn, inSharedSlices(work)) : inSharedSlices(work))
