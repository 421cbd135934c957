/** Services whose calls a test precedes, delays or fails. */
import { Effect, Layer } from "effect"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"

type Call = Effect.Effect<unknown, unknown>

/** `around` makes each call, given its name. */
export const intercepted = <S extends object>(service: S, around: (name: string, call: Call) => Call): S =>
  Object.fromEntries(
    Object.entries(service).map(([name, member]) => [
      name,
      Effect.isEffect(member)
        ? around(name, member as Call)
        : typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) => around(name, Effect.suspend(() => member(...args)))
        : member
    ])
  ) as S

/** The store of documents; `before` runs before each call of these methods. */
export const documentsAfter = (before: Effect.Effect<unknown>, methods: ReadonlySet<string>) =>
  Layer.effect(
    DocumentStore,
    Effect.map(
      DocumentStore,
      (inner) => intercepted(inner, (name, call) => methods.has(name) ? Effect.andThen(before, call) : call)
    )
  )

/** `before`, at one of the next calls, runs the act that is planned, once. */
export const newMeanwhile = () => {
  let calls = 0
  let act: Effect.Effect<unknown> = Effect.void
  return {
    before: Effect.suspend(() => {
      if (calls-- > 0) return Effect.void
      const due = act
      act = Effect.void
      return due
    }),
    /** `count`: how many calls come before it. */
    plan: (count: number, planned: Effect.Effect<unknown>) => {
      calls = count
      act = planned
    },
    cancel: () => {
      act = Effect.void
    }
  }
}
