/** Turns passages into an answer. The default one is extractive; a language model may take its place. */
import { Context, type Effect } from "effect"
import type { Passage } from "./DocumentStore.ts"

export interface Question {
  readonly query: string
  /** IANA name; what "today" means to whoever asks. */
  readonly timezone: string
  readonly now: Date
  /** How much each word of the query tells, by its term; what stands nowhere is absent. */
  readonly rarities: ReadonlyMap<string, number>
}

/** A stretch of a passage's text, in UTF-16 code units. */
export interface Quote {
  readonly passage: number
  readonly start: number
  readonly end: number
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
  answer(
    question: Question,
    passages: ReadonlyArray<Passage & { readonly score: number }>
  ): Effect.Effect<Draft | null>
}>()("@tributary/core/ports/Answerer") {}
