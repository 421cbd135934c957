/** How much of its plan a workspace uses. */
import { Schema } from "effect"
import { WorkspaceId } from "./Id.ts"
import { RateLimit } from "./Plan.ts"
import { Scope } from "./Scope.ts"

export const Meter = Schema.Struct({
  /** The amount in use. */
  used: Schema.Int,
  /** The cap. Absent if uncapped. */
  limit: Schema.optionalKey(Schema.Int),
  /** `used` divided by `limit`. */
  fraction_used: Schema.Finite,
  /** `approaching` from 80 % on, `exceeded` over the cap. */
  state: Schema.Literals(["ok", "approaching", "exceeded"])
}).annotate({ identifier: "Meter" })
export type Meter = typeof Meter.Type

// 80 % is part of the interface, the same for every plan.
const APPROACHING = 0.8

/** A cap of 0 counts as full: fraction 1, and any use exceeds it. */
export const meter = (used: number, limit: number | null): Meter => {
  if (limit === null) return { used, fraction_used: 0, state: "ok" }
  const fraction_used = limit === 0 ? Math.max(1, used) : used / limit
  return {
    used,
    limit,
    fraction_used,
    state: used > limit ? "exceeded" : fraction_used >= APPROACHING ? "approaching" : "ok"
  }
}

/** The current window: the remaining requests, and the whole seconds until it ends. */
export const RateWindow = Schema.Struct({
  ...RateLimit.fields,
  /** The number of requests left in the window. */
  remaining: Schema.Int,
  /** The seconds until the window resets. */
  reset: Schema.Int
})
export type RateWindow = typeof RateWindow.Type

export const Usage = Schema.Struct({
  workspace_id: WorkspaceId,
  /** What the workspace uses of its plan. */
  entitlements: Schema.Struct({
    /** The plan. */
    tier: Schema.String,
    /** The number of documents. */
    documents: Meter,
    /** The bytes of all documents. */
    storage: Meter
  }),
  /** The rate windows by operation. Unlimited operations are absent. */
  rate_limits: Schema.Struct({
    /** The rate window of ask. */
    ask: Schema.optionalKey(RateWindow),
    /** The rate window of search. */
    search: Schema.optionalKey(RateWindow),
    /** The rate window of refresh. */
    refresh: Schema.optionalKey(RateWindow)
  }),
  /** The scopes of the caller. */
  scopes: Schema.Array(Scope)
}).annotate({ identifier: "Usage" })
export type Usage = typeof Usage.Type
