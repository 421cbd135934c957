/**
 * Turns passages into an answer, statement by statement. A host provides one: `@tributary/answers` has those that need
 * no language model and those that use one.
 */
import type { Query } from "@tributary/retrieval"
import { Context, type Effect, type Stream } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Passage, PassageRef } from "./DocumentStore.ts"
import type { ModelUnavailable } from "./Embedder.ts"

export interface Turn {
  readonly role: "user" | "assistant"
  readonly text: string
}

export interface Question {
  readonly workspaceId: WorkspaceId
  readonly query: string
  /** IANA name; what "today" means to the one who asks. */
  readonly timezone: string
  readonly now: Date
  /** In which the answer is wanted; null for that of the question. */
  readonly language: string | null
  /** What was said before, oldest first. */
  readonly history: ReadonlyArray<Turn>
}

/** A passage of one version of a document, as ranked for a query. */
export interface EvidencePassage extends Passage {
  readonly score: number
  /** The headings above its first line, outermost first; empty where they stand too far above. */
  readonly headings: ReadonlyArray<string>
  /** What was said just before it in the same conversation; empty for what is no message. */
  readonly context: string
}

export interface Evidence {
  /** Best first. */
  readonly passages: ReadonlyArray<EvidencePassage>
  /** What was searched for, read in every language of the workspace. */
  readonly query: Query
  /** How rare each term of the query is; terms that occur nowhere are absent. */
  readonly idf: ReadonlyMap<string, number>
  /** How many passages the context holds, which bounds `idf`. */
  readonly passageCount: number
  /** Whether there are more passages than were asked for. */
  readonly truncated: boolean
}

/** A unit of text, its headings and the line that introduces it may begin above a passage, and the best are read further. */
const FOLLOWED = 10
const FAR = { above: 3, below: 1 }
const NEAR = { above: 1, below: 1 }

/** What is at hand around a passage of this rank, from 0: to read it takes no storage. */
export const refsAround = (
  { change_seq, document_id, ordinal }: PassageRef,
  rank: number
): ReadonlyArray<PassageRef> => {
  const { above, below } = rank < FOLLOWED ? FAR : NEAR
  return Array.from(
    { length: above + 1 + below },
    (_, at) => ({ change_seq, document_id, ordinal: ordinal - above + at })
  ).filter((ref) => ref.ordinal >= 0)
}

/** Where an answerer finds evidence: only documents in range that pass the filters of the question. */
export interface EvidenceSource {
  search(query: string, limit: number): Effect.Effect<Evidence, StorageUnavailable>
  /** Passages around those found, by their ordinals. What is not stored any more, or of no document found, is left out. */
  read(refs: ReadonlyArray<PassageRef>): Effect.Effect<ReadonlyArray<Passage>, StorageUnavailable>
}

/**
 * A stretch of one version of a document, in UTF-16 code units of its whole text (a passage begins at `passage.start`).
 * It may span passages, all of which the source has to have given.
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

/** The last element, once. */
export interface Outcome {
  readonly _tag: "Outcome"
  /** Named in the answer. */
  readonly model: string
  /** What came closest, best first, where there are no statements. */
  readonly related: ReadonlyArray<Quote>
  readonly warnings: ReadonlyArray<string>
  /** Whether evidence was left out for length. */
  readonly truncated: boolean
}

export class Answerer extends Context.Service<Answerer, {
  answer(
    question: Question,
    evidence: EvidenceSource
  ): Stream.Stream<Statement | Outcome, ModelUnavailable | StorageUnavailable>
}>()("@tributary/core/ports/Answerer") {}
