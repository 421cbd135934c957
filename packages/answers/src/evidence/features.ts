/** What speaks for a unit as the answer to a question. All features lie between 0 and 1, and none knows a language. */
import type { Candidate } from "./candidateUnits.ts"
import { type Matches, type QuestionTerms, type Reading, union } from "./QuestionTerms.ts"

export const FEATURES = [
  /** Share of the question that the unit covers. */
  "coverage",
  /** What its headings, title and lead add to that. */
  "context",
  /** What the next unit adds. */
  "behind",
  /** Share of the question covered by words that are near each other. */
  "proximity",
  /** Score of its passage, compared with the best. */
  "score",
  "rank",
  "document",
  /** How much it says beyond the question. */
  "news",
  /** It is itself a question. */
  "asks",
  "length",
  "headings"
] as const

const NEAR = 12
const LONG = 600
const QUESTION = /[?？؟]["'”’)\]*_]{0,3}$/u

export interface Features {
  /** In the order of `FEATURES`. */
  readonly values: ReadonlyArray<number>
  readonly named: Readonly<Record<typeof FEATURES[number], number>>
  /** What the unit and its context match. */
  readonly covered: Matches
}

const clipped = (value: number): number => Math.min(1, value)

export class UnitReader {
  readonly #terms: QuestionTerms
  readonly #readings = new Map<string, Reading>()
  readonly #best: number

  constructor(terms: QuestionTerms, best: number) {
    this.#terms = terms
    this.#best = best
  }

  features({ documentRank, index, passage, rank, section, unit }: Candidate): Features {
    const terms = this.#terms
    const textOf = (stretch: { readonly start: number; readonly end: number }) =>
      section.text.slice(stretch.start, stretch.end)
    const text = textOf(unit)
    const own = this.#read(text)
    const headings = unit.headings.map((heading) => this.#read(textOf(heading)).matches)
      .reduce(union, terms.none())
    const around = [section.document.title ?? "", section.context, unit.lead === null ? "" : textOf(unit.lead)]
      .map((one) => this.#read(one).matches)
    const context = around.reduce(union, union(own.matches, headings))
    const next = section.units[index + 1]
    const withNext = next === undefined ? context : union(context, this.#read(textOf(next)).matches)
    const [covered, inContext] = [terms.coverage(own.matches), terms.coverage(context)]
    const values = [
      covered,
      inContext - covered,
      terms.coverage(withNext) - inContext,
      terms.proximity(own, NEAR),
      clipped(passage.score / this.#best),
      1 / (1 + rank),
      1 / (1 + documentRank),
      clipped(Math.log(1 + own.otherWords) / 4),
      QUESTION.test(text) ? 1 : 0,
      clipped(text.length / LONG),
      terms.coverage(headings)
    ]
    const named = Object.fromEntries(FEATURES.map((name, at) => [name, values[at]!])) as Features["named"]
    return { values, named, covered: context }
  }

  #read(text: string): Reading {
    const known = this.#readings.get(text)
    if (known !== undefined) return known
    const reading = this.#terms.read(text)
    this.#readings.set(text, reading)
    return reading
  }
}
