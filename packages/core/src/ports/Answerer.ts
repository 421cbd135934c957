/** Turns passages into an answer. The default one is extractive; a language model may take its place. */
import { Context, type Effect } from "effect"
import type { Passage } from "./DocumentStore.ts"

export interface Question {
  readonly query: string
  /** IANA name; what "today" means to whoever asks. */
  readonly timezone: string
  readonly now: Date
  /** How much each word of the query tells, by its term; what stands nowhere is absent. */
  readonly idf: ReadonlyMap<string, number>
}

/** A stretch of a passage's text, in UTF-16 code units. */
export interface Quote {
  readonly passage: number
  readonly start: number
  readonly end: number
}

export interface Evidence extends Passage {
  readonly score: number
  /** What was said just before it in the same conversation; empty for what is no message. */
  readonly context: string
  /** What stands just before it in its document: the headings that it stands under, the head of its table. */
  readonly above: string
  /** It was not found, and only stands in a document that was: it is there where the question asks for a number. */
  readonly isRest: boolean
}

/** Null when the passages hold no answer. Every `[n]` in `response` stands for the n-th quote, from 1. */
export interface Draft {
  readonly response: string
  readonly quotes: ReadonlyArray<Quote>
}

export class Answerer extends Context.Service<Answerer, {
  /** Named in every answer. */
  readonly model: string
  /** `passages` come best first, with their scores. */
  answer(question: Question, passages: ReadonlyArray<Evidence>): Effect.Effect<Draft | null>
}>()("@tributary/core/ports/Answerer") {}
