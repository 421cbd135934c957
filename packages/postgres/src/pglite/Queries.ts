/** How a query stands among the others: the embedded database answers one at a time and cannot be interrupted. */
import { Context, type Duration } from "effect"

/** Who goes first when queries wait. A short lookup that every request needs says `first`. */
export const QueryPriority = Context.Reference<"first" | "normal">("@tributary/postgres/pglite/QueryPriority", {
  defaultValue: () => "normal"
})

/**
 * How long a query may wait for its turn, and again how long it may run, before its caller is told that the database is
 * unavailable. `undefined` is the client's own deadline. A migration over much data wants more.
 */
export const QueryDeadline = Context.Reference<Duration.Input | undefined>("@tributary/postgres/pglite/QueryDeadline", {
  defaultValue: () => undefined
})
