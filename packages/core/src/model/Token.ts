/** Tokens: short-lived credentials that a key creates, with fewer scopes and a filter. */
import { Schema } from "effect"
import { integer } from "./Integer.ts"
import { overlaps, toRange } from "./TemporalRange.ts"
import { optional } from "./optional.ts"
import { Scope } from "./Scope.ts"
import { MetadataFilter, Sources } from "./Search.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"

/** Which documents a token sees: all conditions must hold. */
export const TokenFilter = Schema.Struct({
  /** Kinds, `custom:<source_name>` or providers. A document must match one of them. */
  sources: optional(Sources.check(Schema.isMinLength(1))),
  /** Key/value pairs. A document must have all of them. */
  metadata: optional(MetadataFilter),
  /** Only documents from this time on. */
  from: optional(ClientTimestamp),
  /** Only documents before this time. */
  to: optional(ClientTimestamp)
}).annotate({ identifier: "TokenFilter" })
export type TokenFilter = typeof TokenFilter.Type

const MIN_TOKEN_SECONDS = 60
export const MAX_TOKEN_SECONDS = 86_400

export const NewToken = Schema.Struct({
  /** A subset of the scopes of the key. Absent: all of them, or with a filter all that only read. */
  scopes: optional(Schema.Array(Scope).check(Schema.isMinLength(1), Schema.isMaxLength(20))),
  /** The lifetime in seconds. */
  expires_in: integer(MIN_TOKEN_SECONDS, MAX_TOKEN_SECONDS),
  /** The documents that the token can read. Absent: all. */
  filter: optional(TokenFilter)
})
export type NewToken = typeof NewToken.Type

export const IssuedToken = Schema.Struct({
  /** The token, shown only here. It is sent like a key. */
  token: Schema.String,
  /** When the token expires, at the latest together with the key. */
  expires_at: Timestamp
}).annotate({
  identifier: "IssuedToken"
})
export type IssuedToken = typeof IssuedToken.Type

interface Seen {
  readonly source: string
  readonly kind: string
  readonly metadata: Readonly<Record<string, string>>
  readonly timestamp: Date
  readonly ends_at?: Date | null
}

/** Whether a value of `sources` names a source or its provider. */
export const matchesSource = (wanted: string, source: string): boolean =>
  // `custom` is a kind; a provider of that name would match every connector.
  source === wanted || (wanted !== "custom" && source.slice(0, source.indexOf(":")) === wanted)

/** Whether a filter shows a document: the rule of the index, for data that is read elsewhere. */
export const isShown = ({ from, metadata, sources, to }: TokenFilter, seen: Seen): boolean =>
  (sources?.some((wanted) => wanted === seen.kind || matchesSource(wanted, seen.source)) ?? true) &&
  Object.entries(metadata ?? {}).every(([name, value]) =>
    Object.hasOwn(seen.metadata, name) && seen.metadata[name] === value
  ) &&
  overlaps(toRange({ from, to }), seen.timestamp.getTime(), (seen.ends_at ?? seen.timestamp).getTime())

/**
 * Whether a filter shows a connector or connection with this source, whatever documents it has: the filter names it, or
 * has no condition.
 */
export const showsSource = (filter: TokenFilter | null, source: string): boolean => {
  if (filter === null) return true
  const { from, metadata, sources, to } = filter
  return sources?.some((wanted) => matchesSource(wanted, source)) ??
    !(from || to || Object.keys(metadata ?? {}).length > 0)
}
