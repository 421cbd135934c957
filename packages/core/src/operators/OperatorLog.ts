/**
 * The log of operators' actions, outside of accounts: it remains when an account is deleted. Entries are never deleted.
 */
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { paged } from "../internal/paged.ts"
import { cursorOf } from "../model/Cursor.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import type { OperatorCaller } from "../model/Operator.ts"
import type { OperatorAct, OperatorLogEntry } from "../model/OperatorLogEntry.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import { OperatorStore } from "../ports/OperatorStore.ts"
import { linkAfter, toEntry } from "./chain.ts"

const cursor = cursorOf("operator log", Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** The content of an entry, without the operator and the time. */
type Written = Omit<OperatorAct, "at" | "operator">

export class OperatorLog extends Context.Service<OperatorLog, {
  append(by: OperatorCaller, act: Written): Effect.Effect<void, StorageUnavailable>
  /** Oldest first, after the entry `after`. */
  list(page: PageRequest, after: number): Effect.Effect<Page<OperatorLogEntry>, InvalidCursor | StorageUnavailable>
}>()("@tributary/core/OperatorLog") {
  static readonly layer = Layer.effect(
    OperatorLog,
    Effect.map(Effect.serviceOption(OperatorStore), (store) => ({
      append: Effect.fn("OperatorLog.append")(function*({ name, operator_id }: OperatorCaller, act: Written) {
        if (Option.isNone(store)) return
        const { append, lastLink } = store.value
        const entry = { ...act, at: new Date(yield* Clock.currentTimeMillis), operator: { operator_id, name } }
        // Each refusal means that another entry was written meanwhile.
        yield* Effect.repeat(
          Effect.flatMap(lastLink, (last) => append(linkAfter(Option.getOrUndefined(last), entry))),
          { until: (written) => written }
        )
      }),
      list: Effect.fn("OperatorLog.list")(function*(page: PageRequest, after: number) {
        return yield* paged(
          cursor,
          page,
          (entry: OperatorLogEntry) => entry.sequence,
          (from, limit) =>
            Option.match(store, {
              onNone: () => Effect.succeed([]),
              onSome: ({ links }) => Effect.map(links(from ?? after, limit), (found) => found.map(toEntry))
            })
        )
      })
    }))
  )
}
