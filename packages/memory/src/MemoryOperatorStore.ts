/** Operators and their log in memory. */
import { OperatorStore } from "@tributary/core/ports/OperatorStore"
import { Effect, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  OperatorStore,
  Effect.gen(function*() {
    const { operatorLog, operators } = yield* State

    return OperatorStore.of({
      insert: (operator, hash) => Effect.sync(() => void operators.set(hash, copied(operator))),

      find: (hash) => Effect.sync(() => found(operators.get(hash))),

      list: (limit) =>
        Effect.sync(() =>
          [...operators.values()].toSorted((one, other) => byText(other.operator_id, one.operator_id))
            .slice(0, limit).map(copied)
        ),

      remove: (operatorId) =>
        Effect.sync(() => {
          for (const [hash, operator] of operators) {
            if (operator.operator_id !== operatorId) continue
            operators.delete(hash)
            return Option.some(operator)
          }
          return Option.none()
        }),

      lastLink: Effect.sync(() => Option.fromUndefinedOr(operatorLog.at(-1))),

      append: (link) =>
        Effect.sync(() => {
          if (link.sequence !== operatorLog.length + 1) return false
          operatorLog.push(copied(link))
          return true
        }),

      links: (after, limit) => Effect.sync(() => operatorLog.slice(after, after + limit))
    })
  })
)
