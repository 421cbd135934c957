import { Effect, Fiber } from "effect"
import { describe, expect, it } from "@effect/vitest"
import { makeTurns } from "../src/pglite/internal/Turns.ts"

const idle = (then: () => void) => then()

describe("Turns", () => {
  it.effect("lets lookups go first, and the rest not starve", () =>
    Effect.gen(function*() {
      const turns = makeTurns(idle)
      const order: Array<string> = []
      const take = (name: string, priority: "first" | "normal") => {
        const turn = turns.queue(priority)
        return Effect.andThen(turn.wait(60_000), Effect.sync(() => order.push(name) && turn.end()))
      }
      const holder = turns.queue("normal")
      yield* holder.wait(60_000)
      const others = yield* Effect.forEach(["a", "b"], (name) =>
        Effect.forkChild(take(name, "normal"), { startImmediately: true }))
      const lookups = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) =>
          `lookup ${n}`),
        (name) => Effect.forkChild(take(name, "first"), { startImmediately: true })
      )
      holder.end()
      yield* Fiber.joinAll([...others, ...lookups])
      expect(order.indexOf("a")).toBe(16)
      expect(order.indexOf("b")).toBe(21)
      expect(order.slice(0, 3)).toEqual(["lookup 0", "lookup 1", "lookup 2"])
    }))

  it.effect("says after the deadline that no turn came, and leaves the line", () =>
    Effect.gen(function*() {
      const turns = makeTurns(idle)
      const holder = turns.queue("normal")
      const late = turns.queue("normal")
      const error = yield* Effect.flip(late.wait(1))
      expect(error).toMatchObject({ reason: { _tag: "LockTimeoutError" } })
      expect(error.isRetryable).toBe(true)
      late.end()
      holder.end()
      yield* turns.queue("normal").wait(60_000)
    }))

  it.effect("keeps a turn until the session is idle", () =>
    Effect.gen(function*() {
      let becomeIdle = () => {}
      const turns = makeTurns((then) => {
        becomeIdle = then
      })
      turns.queue("normal").end()
      const next = turns.queue("normal")
      const waiting = yield* Effect.forkChild(next.wait(60_000), { startImmediately: true })
      expect(waiting.pollUnsafe()).toBeUndefined()
      becomeIdle()
      yield* Fiber.join(waiting)
    }))
})
