/** Plans as data: the limits of each tier. */
import { Schema } from "effect"

/** Requests per fixed window. */
export const RateLimit = Schema.Struct({
  /** The number of requests per window. */
  limit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
  /** The length of a window, in seconds. */
  window_seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400 }))
})
export type RateLimit = typeof RateLimit.Type

const Cap = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** The caps of a workspace; null means uncapped. `storage` and `doc_size` are bytes, the others counts. */
export const Limits = Schema.Struct({
  /** The number of documents. Null: uncapped. */
  documents: Cap,
  /** The bytes of all documents. Null: uncapped. */
  storage: Cap,
  /** The bytes of one document. Null: uncapped. */
  doc_size: Cap,
  /** The number of shared workspaces of the account. Null: uncapped. */
  shared_workspaces: Cap,
  /** The number of rebuilds that are kept. Null: all. */
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

export const Tier = Schema.Literals(["free", "pro"])
export type Tier = typeof Tier.Type

const MB = 1_000_000

const PLANS: Readonly<Record<Tier, Limits>> = {
  free: {
    documents: 10_000,
    storage: 500 * MB,
    doc_size: 10 * MB,
    shared_workspaces: 1,
    snapshots: 1,
    ask: { limit: 5, window_seconds: 60 },
    search: { limit: 20, window_seconds: 60 },
    refresh: { limit: 2, window_seconds: 3_600 }
  },
  pro: {
    documents: null,
    storage: null,
    doc_size: null,
    shared_workspaces: 10,
    snapshots: 5,
    ask: null,
    search: null,
    refresh: null
  }
}

export const limitsOf = (tier: Tier): Limits => PLANS[tier]
