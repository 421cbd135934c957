/**
 * Turns passages into an answer, statement by statement. `@tributary/answers` has answerers with and without a language
 * model.
 */
import type { Query } from "@tributary/retrieval"
import { Context, type Effect, type Stream } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Passage, PassageRef } from "./DocumentStore.ts"
import type { ModelUnavailable } from "./Embedder.ts"

/** A message of the conversation before the question. */
export interface Turn {
  readonly role: "user" | "assistant"
  readonly text: string
}

/** What an answerer gets. */
export interface Question {
  readonly workspaceId: WorkspaceId
  readonly query: string
  /** IANA time zone name, for "today" and similar words. */
  readonly timezone: string
  readonly now: Date
  /** The language of the answer; null for that of the question. */
  readonly language: string | null
  /** Earlier turns of the conversation, oldest first. */
  readonly history: ReadonlyArray<Turn>
}

/** A passage of one version of a document, as ranked for a query. */
export interface EvidencePassage extends Passage {
  readonly score: number
  /** The headings above its first line, outermost first; empty if they are too far above. */
  readonly headings: ReadonlyArray<string>
  /** The messages just before it in the same conversation; empty if it is not a message. */
  readonly context: string
}

/** The result of a search for evidence. */
export interface Evidence {
  /** Best first. */
  readonly passages: ReadonlyArray<EvidencePassage>
  /** The parsed query, in every language of the workspace. */
  readonly query: Query
  /** The idf of each term of the query; absent for terms that do not occur. */
  readonly idf: ReadonlyMap<string, number>
  /** The number of passages in the context, which bounds `idf`. */
  readonly passageCount: number
  /** Whether there are more passages than requested. */
  readonly truncated: boolean
}

/** A unit's headings and introductory line may be above its passage, and the best passages are extended. */
const FOLLOWED = 10
const FAR = { above: 3, below: 1 }
const NEAR = { above: 1, below: 1 }

/** The neighbouring text that is available without storage access, for a passage of this rank from 0. */
export const neighbouringRefs = (
  { change_seq, document_id, ordinal }: PassageRef,
  rank: number
): ReadonlyArray<PassageRef> => {
  const { above, below } = rank < FOLLOWED ? FAR : NEAR
  return Array.from(
    { length: above + 1 + below },
    (_, at) => ({ change_seq, document_id, ordinal: ordinal - above + at })
  ).filter((ref) => ref.ordinal >= 0)
}

/** The source of evidence: only documents in range that match the filters of the question. */
export interface EvidenceSource {
  /** The best passages for a query, at most `limit`. An answerer may search several times. */
  search(query: string, limit: number): Effect.Effect<Evidence, StorageUnavailable>
  /**
   * Passages around those found, by ordinal. Passages that are no longer stored, or not of a found document, are left
   * out.
   */
  read(refs: ReadonlyArray<PassageRef>): Effect.Effect<ReadonlyArray<Passage>, StorageUnavailable>
}

/**
 * A range of one version of a document, in UTF-16 code units of its whole text (a passage starts at `passage.start`).
 * It may span several passages, all of which must have come from the source.
 */
export interface Quote extends Pick<PassageRef, "document_id" | "change_seq"> {
  readonly start: number
  readonly end: number
}

/** One line of the answer, without markers, and at least one quote that proves it. */
export interface Statement {
  readonly _tag: "Statement"
  readonly text: string
  readonly quotes: ReadonlyArray<Quote>
}

/** The last element of the stream, exactly once. */
export interface Outcome {
  readonly _tag: "Outcome"
  /** The name of the model, for the answer. */
  readonly model: string
  /** The closest passages, best first, if there are no statements. */
  readonly related: ReadonlyArray<Quote>
  readonly warnings: ReadonlyArray<string>
  /** Whether evidence was left out because of its length. */
  readonly truncated: boolean
}

/** Answers questions: `open` takes one as `answerer`. */
export class Answerer extends Context.Service<Answerer, {
  /**
   * Statements with their quotes, and finally one outcome. A stream that has not ended within ten minutes is interrupted, and the
   * question fails.
   */
  answer(
    question: Question,
    evidence: EvidenceSource
  ): Stream.Stream<Statement | Outcome, ModelUnavailable | StorageUnavailable>
}>()("@tributary/core/ports/Answerer") {}
