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

const Turn = Schema.Struct({
  /** Who said it. */
  role: Schema.Literals(["user", "assistant"]),
  /** What was said. */
  text: text(1, LONGEST_HISTORY)
})

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
  /** The question. */
  query: text(1, 2_000),
  /**
   * What was said before, oldest first, 8,000 characters in all. A language model makes a question of its own from it.
   */
  history: optional(History),
  /** A BCP 47 tag, such as `de`: in which a language model answers. That of the question by default. */
  language: optional(Language),
  /** An IANA name, such as `Europe/Paris`. */
  timezone: optional(TimeZone),
  /** Exact pairs, all of which a document must carry. */
  metadata: optional(MetadataFilter),
  /** Kinds, `custom:<source_name>` or providers. */
  sources: optional(Sources),
  /** Only documents from this moment on. */
  from: optional(ClientTimestamp),
  /** Only documents up to this moment, and without it. */
  to: optional(ClientTimestamp),
  /** Whether to answer with a job instead of waiting. */
  async: optional(Schema.Boolean)
})
export type AskRequest = typeof AskRequest.Type

export const Citation = Schema.Struct({
  /** The document's kind. */
  type: Schema.String,
  /** The document, and where it says so. */
  entity: Schema.Struct({
    /** The document's id. */
    id: DocumentId,
    /** The id that the client gave the item, or that was made for it. */
    external_id: Schema.String,
    /** `custom:<source_name>` or `<provider>:<connection_id>`. */
    source: Schema.String,
    /** Its title. Null: it has none. */
    title: Schema.NullOr(Schema.String),
    /** Where it can be opened. Null: nowhere known. */
    url: Schema.NullOr(Schema.String),
    /** When it happened, which is what the range of the context looks at. */
    timestamp: Timestamp,
    /** The number in `[n]` of the response; null in `related`. */
    marker: Schema.NullOr(Schema.Int),
    /** The document's text at `start` to `end`, verbatim. */
    quote: Schema.String,
    /** Where the quote begins, in UTF-16 code units. */
    start: Schema.Int,
    /** Where the quote ends, in UTF-16 code units. */
    end: Schema.Int
  })
}).annotate({ identifier: "Citation" })
export type Citation = typeof Citation.Type

export const Answer = Schema.Struct({
  /** Each `[n]` is the `marker` of a citation. */
  response: Schema.String,
  /** What the answer rests on. */
  citations: Schema.Array(Citation),
  /** Whether evidence was left out for length. */
  truncated: Schema.Boolean,
  /** Whether the response answers the question, as far as that is probable enough. When false, the response says so. */
  answered: Schema.Boolean,
  /** The snapshot that was read. Null: only what is newer than any. */
  snapshot: Schema.NullOr(SnapshotId),
  /** What wrote it: `extractive` where no language model is configured. */
  model: Schema.String,
  /** When nothing answers: up to five citations of what came closest, best first; else absent. */
  related: Schema.optionalKey(Schema.Array(Citation)),
  /**
   * Names each of the `sources` that nothing in the context matches, and what else may explain the answer. Absent when
   * there are none.
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
  /** What has become of it. */
  status: AskJobStatus,
  /** The question. */
  query: Schema.String,
  /** When it was made. */
  created_at: Timestamp,
  /** When it began. Null: it has not. */
  started_at: Schema.NullOr(Timestamp),
  /** When it ended. Null: it has not. */
  finished_at: Schema.NullOr(Timestamp),
  /** How many times it has been begun. */
  attempt: Schema.Int,
  /** Why it failed. Null: it has not. */
  error: Schema.NullOr(Schema.Struct({
    /** Says to a program what went wrong; `/errors/{code}` explains it. */
    error_code: Schema.String,
    /** Says the same to a person. */
    message: Schema.String
  }))
}).annotate({ identifier: "AskJob" })
export type AskJob = typeof AskJob.Type

/** An ask job with its answer, once there is one. */
export const AnsweredAskJob = Schema.Struct({
  ...AskJob.fields,
  /** The answer. Null: not yet, or never. */
  result: Schema.NullOr(Answer)
})
  .annotate({ identifier: "AnsweredAskJob" })
export type AnsweredAskJob = typeof AnsweredAskJob.Type
