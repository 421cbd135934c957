/**
 * Who may use the one session of the embedded database, and in which order.
 *
 * A turn belongs to a query or to a whole transaction. Lookups go before the rest, but not so that the rest would starve.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { noTurn } from "./sqlErrors.ts"

/** After so many lookups in a row one of the others has its turn. */
const lookupsInARow = 16

/** The longest that a timer can wait: more would fire at once. */
export const bounded = (milliseconds: number): number => Math.min(milliseconds, 2 ** 31 - 1)

export interface Turn {
  /** Waits until it is this one's turn, at most for `deadline` milliseconds. */
  readonly wait: (deadline: number) => Effect.Effect<void, SqlError>
  /** Gives the turn up, whether it has come or not. */
  readonly end: () => void
}

export interface Turns {
  readonly queue: (priority: "first" | "normal") => Turn
}

/** `whenIdle` calls back once the session has nothing left to do, at once if that is so already. */
export const makeTurns = (whenIdle: (then: () => void) => void): Turns => {
  type Waiting = { start: () => void }
  const first = new Set<Waiting>()
  const normal = new Set<Waiting>()
  let current: Waiting | undefined
  let lookups = 0

  const next = (): void => {
    const [lookup] = first
    const [other] = normal
    current = lookup !== undefined && (other === undefined || lookups < lookupsInARow) ? lookup : other
    if (current === undefined) return
    lookups = current === lookup ? lookups + 1 : 0
    first.delete(current)
    normal.delete(current)
    current.start()
  }

  return {
    queue: (priority) => {
      const line = priority === "first" ? first : normal
      const self: Waiting = { start: () => {} }
      if (current === undefined) current = self
      else line.add(self)

      const wait = (deadline: number) =>
        Effect.callback<void, SqlError>((resume) => {
          if (current === self) return resume(Effect.void)
          const timer = setTimeout(() => {
            line.delete(self)
            resume(Effect.fail(noTurn(deadline)))
          }, bounded(deadline))
          self.start = () => {
            clearTimeout(timer)
            resume(Effect.void)
          }
          return Effect.sync(() => clearTimeout(timer))
        })

      const end = () => {
        line.delete(self)
        // Its last query may still run, when the caller was interrupted or ran out of patience.
        if (current === self) whenIdle(next)
      }
      return { wait, end }
    }
  }
}
