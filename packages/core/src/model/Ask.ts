/** Questions over the knowledge context, answered with citations, now or later. */
import { Schema } from "effect"
import { DocumentId, JobId, SnapshotId } from "./Id.ts"
import { optional } from "./optional.ts"
import { MetadataFilter, Sources } from "./Search.ts"
import { Text, text } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"
import { violatedBy } from "./Violation.ts"

const isTimeZone = (name: string): boolean => {
  try {
    // An offset such as `+01:00` is understood there, too, but names no place.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

/** An IANA name, such as `Europe/Paris`. */
const TimeZone = Text.check(
  violatedBy((name) =>
    isTimeZone(name) ? undefined : { type: "value_error", message: "Value error, not a known IANA time zone" }
  )
)

const isLanguage = (tag: string): boolean => {
  try {
    const { language } = new Intl.Locale(tag)
    return new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(language) !== undefined
  } catch {
    return false
  }
}

/** A BCP 47 tag, such as `de` or `pt-BR`. */
const Language = Text.check(
  violatedBy((tag) =>
    isLanguage(tag) ? undefined : { type: "value_error", message: "Value error, not a known language tag" }
  )
)

const MOST_TURNS = 10
const LONGEST_HISTORY = 8_000

const Turn = Schema.Struct({ role: Schema.Literals(["user", "assistant"]), text: text(1, LONGEST_HISTORY) })

/** What was said before, oldest first. */
const History = Schema.Array(Turn).check(
  Schema.isMaxLength(MOST_TURNS),
  violatedBy((turns) =>
    turns.reduce((length, turn) => length + Array.from(turn.text).length, 0) <= LONGEST_HISTORY
      ? undefined
      : { type: "value_error", message: `Value error, history should have at most ${LONGEST_HISTORY} characters` }
  )
)

export const AskRequest = Schema.Struct({
  query: text(1, 2_000),
  history: optional(History),
  language: optional(Language),
  timezone: optional(TimeZone),
  metadata: optional(MetadataFilter),
  sources: optional(Sources),
  from: optional(ClientTimestamp),
  to: optional(ClientTimestamp),
  async: optional(Schema.Boolean)
})
export type AskRequest = typeof AskRequest.Type

export const Citation = Schema.Struct({
  /** The document's kind. */
  type: Schema.String,
  entity: Schema.Struct({
    id: DocumentId,
    external_id: Schema.String,
    source: Schema.String,
    title: Schema.NullOr(Schema.String),
    url: Schema.NullOr(Schema.String),
    timestamp: Timestamp,
    /** The number in `[n]` of the response; null where it is only related. */
    marker: Schema.NullOr(Schema.Int),
    /** Stands verbatim in the document's text at `start` to `end`, in UTF-16 code units. */
    quote: Schema.String,
    start: Schema.Int,
    end: Schema.Int
  })
}).annotate({ identifier: "Citation" })
export type Citation = typeof Citation.Type

export const Answer = Schema.Struct({
  response: Schema.String,
  citations: Schema.Array(Citation),
  /** Whether evidence was left out for length. */
  truncated: Schema.Boolean,
  /** False when the context holds no sufficient evidence; the response then says so. */
  answered: Schema.Boolean,
  snapshot: Schema.NullOr(SnapshotId),
  model: Schema.String,
  /** When nothing answers: what came closest, best first; absent where nothing came close. */
  related: Schema.optionalKey(Schema.Array(Citation)),
  /** Names each of the `sources` that nothing in the context matches, and what else may explain the answer; absent where there are none. */
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "Answer" })
export type Answer = typeof Answer.Type

/** An answer as it comes: what it rests on, its text piece by piece, and at last the whole of it. */
export const AskEvent = Schema.Union([
  Schema.Struct({ event: Schema.Literal("citation"), data: Citation }),
  Schema.Struct({ event: Schema.Literal("delta"), data: Schema.Struct({ text: Schema.String }) }),
  Schema.Struct({ event: Schema.Literal("done"), data: Answer })
])
export type AskEvent = typeof AskEvent.Type

export const AskJobStatus = Schema.Literals(["queued", "running", "succeeded", "failed", "cancelled"])
export type AskJobStatus = typeof AskJobStatus.Type

export const AskJob = Schema.Struct({
  job_id: JobId,
  status: AskJobStatus,
  query: Schema.String,
  created_at: Timestamp,
  started_at: Schema.NullOr(Timestamp),
  finished_at: Schema.NullOr(Timestamp),
  attempt: Schema.Int,
  error: Schema.NullOr(Schema.Struct({ error_code: Schema.String, message: Schema.String }))
}).annotate({ identifier: "AskJob" })
export type AskJob = typeof AskJob.Type

/** An ask job with its answer, once there is one. */
export const AnsweredAskJob = Schema.Struct({ ...AskJob.fields, result: Schema.NullOr(Answer) })
  .annotate({ identifier: "AnsweredAskJob" })
export type AnsweredAskJob = typeof AnsweredAskJob.Type
