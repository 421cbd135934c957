/** Questions over the knowledge context, answered with citations, now or later. */
import { Schema } from "effect"
import { MAX_HISTORY, MAX_TURNS } from "./AskHistory.ts"
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

/** An IANA time zone, such as `Europe/Paris`. */
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

const Turn = Schema.Struct({
  /** The author of the turn. */
  role: Schema.Literals(["user", "assistant"]),
  /** The text of the turn. */
  text: text(1, MAX_HISTORY)
})

/** What was said before, oldest first. */
const History = Schema.Array(Turn).check(
  Schema.isMaxLength(MAX_TURNS),
  violatedBy((turns) =>
    turns.reduce((length, turn) => length + Array.from(turn.text).length, 0) <= MAX_HISTORY
      ? undefined
      : { type: "value_error", message: `Value error, history should have at most ${MAX_HISTORY} characters` }
  )
)

export const MAX_QUERY = 2_000

export const AskRequest = Schema.Struct({
  /** The question. */
  query: text(1, MAX_QUERY),
  /**
   * The previous turns, oldest first, at most 8,000 characters in total. A language model uses them to turn `query`
   * into a standalone question.
   */
  history: optional(History),
  /** The language in which a language model answers, as a BCP 47 tag such as `de`. By default that of the question. */
  language: optional(Language),
  /**
   * An IANA time zone, such as `Europe/Paris`.
   * @default "UTC"
   */
  timezone: optional(TimeZone),
  /** Exact key/value pairs. A document must have all of them. */
  metadata: optional(MetadataFilter),
  /** Kinds, `custom:<source_name>` or providers. */
  sources: optional(Sources),
  /** Only documents from this time on. */
  from: optional(ClientTimestamp),
  /** Only documents before this time. */
  to: optional(ClientTimestamp),
  /**
   * Whether to return a job at once instead of waiting for the answer.
   * @default false
   */
  async: optional(Schema.Boolean)
})
export type AskRequest = typeof AskRequest.Type

export const Citation = Schema.Struct({
  /** The document's kind. */
  type: Schema.String,
  /** The document and the quote. */
  entity: Schema.Struct({
    /** The document's id. */
    id: DocumentId,
    /** The id that the client chose, or a generated one. */
    external_id: Schema.String,
    /** `custom:<source_name>` or `<provider>:<connection_id>`. */
    source: Schema.String,
    /** The title. Null: none. */
    title: Schema.NullOr(Schema.String),
    /** The URL where it can be opened. Null: unknown. */
    url: Schema.NullOr(Schema.String),
    /** When it happened. The range of the context applies to this time. */
    timestamp: Timestamp,
    /** The number in `[n]` of the response; null in `related`. */
    marker: Schema.NullOr(Schema.Int),
    /** The exact text of the document from `start` to `end`. */
    quote: Schema.String,
    /** The start of the quote, in UTF-16 code units. */
    start: Schema.Int,
    /** The end of the quote, in UTF-16 code units. */
    end: Schema.Int
  })
}).annotate({ identifier: "Citation" })
export type Citation = typeof Citation.Type

export const Answer = Schema.Struct({
  /** The text of the answer. Each `[n]` is the `marker` of a citation. */
  response: Schema.String,
  /** The evidence of the answer. */
  citations: Schema.Array(Citation),
  /** Whether evidence was left out because of its length. */
  truncated: Schema.Boolean,
  /** Whether the evidence is sufficient to answer the question. If not, the response says so. */
  answered: Schema.Boolean,
  /** The snapshot that was searched. Null: only documents that are newer than any snapshot. */
  snapshot: Schema.NullOr(SnapshotId),
  /** What wrote the answer; `extractive` if no language model is configured. */
  model: Schema.String,
  /** If `answered` is false: up to five of the closest citations, best first. Otherwise absent. */
  related: Schema.optionalKey(Schema.Array(Citation)),
  /**
   * Each of the `sources` that matches nothing in the context, and other explanations of the answer. Absent if there
   * are none.
   */
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
  /** The state of the job. */
  status: AskJobStatus,
  /** The question. */
  query: Schema.String,
  /** When it was created. */
  created_at: Timestamp,
  /** When it started. Null: not yet. */
  started_at: Schema.NullOr(Timestamp),
  /** When it ended. Null: not yet. */
  finished_at: Schema.NullOr(Timestamp),
  /** The number of attempts. */
  attempt: Schema.Int,
  /** Why it failed. Null: it has not failed. */
  error: Schema.NullOr(Schema.Struct({
    /** The code of the error, for programs. `/errors/{code}` explains it. */
    error_code: Schema.String,
    /** The error in a sentence, for people. */
    message: Schema.String
  }))
}).annotate({ identifier: "AskJob" })
export type AskJob = typeof AskJob.Type

/** An ask job with its answer, once there is one. */
export const AnsweredAskJob = Schema.Struct({
  ...AskJob.fields,
  /** The answer. Null: the job is not finished, or did not succeed. */
  result: Schema.NullOr(Answer)
})
  .annotate({ identifier: "AnsweredAskJob" })
export type AnsweredAskJob = typeof AnsweredAskJob.Type
