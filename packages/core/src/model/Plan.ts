/** Plans as data: the limits of each tier. */
import { Schema } from "effect"

/** Requests per fixed window. */
export const RateLimit = Schema.Struct({
  /** How many requests a window takes. */
  limit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
  /** How long a window is. */
  window_seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400 }))
})
export type RateLimit = typeof RateLimit.Type

const Cap = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** The caps of a workspace; null means uncapped. `storage` and `doc_size` are bytes, the others counts. */
export const Limits = Schema.Struct({
  /** How many documents. Null: uncapped. */
  documents: Cap,
  /** How many bytes in all. Null: uncapped. */
  storage: Cap,
  /** How many bytes a document may have. Null: uncapped. */
  doc_size: Cap,
  /** How many shared workspaces the account may have. Null: uncapped. */
  shared_workspaces: Cap,
  /** How many rebuilds are kept. Null: all. */
  snapshots: Cap,
  /** The rate window of ask. Null: no limit. */
  ask: Schema.NullOr(RateLimit),
  /** The rate window of search. Null: no limit. */
  search: Schema.NullOr(RateLimit),
  /** The rate window of refresh. Null: no limit. */
  refresh: Schema.NullOr(RateLimit)
})
export type Limits = typeof Limits.Type

export const LimitedOperation = Schema.Literals(["ask", "search", "refresh"])
export type LimitedOperation = typeof LimitedOperation.Type

const MB = 1_000_000

const PLANS: ReadonlyMap<string, Limits> = new Map([
  ["free", {
    documents: 10_000,
    storage: 500 * MB,
    doc_size: 10 * MB,
    shared_workspaces: 1,
    snapshots: 1,
    ask: { limit: 5, window_seconds: 60 },
    search: { limit: 20, window_seconds: 60 },
    refresh: { limit: 2, window_seconds: 3_600 }
  }],
  ["pro", {
    documents: null,
    storage: null,
    doc_size: null,
    shared_workspaces: 10,
    snapshots: 5,
    ask: null,
    search: null,
    refresh: null
  }]
])

export const Tier = Schema.Literals(["free", "pro"])
export type Tier = typeof Tier.Type

export const limitsOf = (tier: Tier): Limits => PLANS.get(tier)!
