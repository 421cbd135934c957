/**
 * Long work in slices. One slice runs per turn of the event loop, however much work there is at once, so that others
 * wait no longer for many large requests than for one.
 */
import { Effect } from "effect"
import { makeLoopTurns } from "./LoopTurns.ts"

/** Milliseconds of work per slice. */
const SLICE_MILLIS = 8

// The event loop belongs to the process, and so do its turns and the end of the slice in this one.
const { take, turnOf } = makeLoopTurns()
let until = 0

const beginSlice = (): void => {
  until = performance.now() + SLICE_MILLIS
}

/** A new slice, in a turn that no other slice shares. */
const nextSlice = Effect.andThen(turnOf(""), Effect.sync(beginSlice))

/** Uses the slice of this turn, or makes it one. */
const joinSlice = (): void => {
  if (take()) beginSlice()
}

/** Ends the slice at the next `yield`, before one long step. */
export const endSlice = (): void => {
  until = 0
}

/** Continues in this turn while its slice lasts, otherwise in a later one. */
export const yieldIfOver: Effect.Effect<void> = Effect.suspend(() => {
  joinSlice()
  return performance.now() < until ? Effect.void : nextSlice
})

/**
 * Runs a generator that pauses at each `yield`, in what is left of this turn's slice and further ones: requests after
 * one another in one turn have one slice together.
 */
export const inSharedSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    joinSlice()
    do {
      const { done, value } = work.next()
      if (done === true) return Effect.succeed(value)
    } while (performance.now() < until)
    return Effect.andThen(nextSlice, inSharedSlices(work))
  })

/** Runs a generator that pauses at each `yield`, in slices of its own. */
export const inSlices = <A>(work: Generator<void, A>): Effect.Effect<A> =>
  Effect.andThen(nextSlice, inSharedSlices(work))
