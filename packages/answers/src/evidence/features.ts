/** What speaks for a unit as the answer to a question. All features lie between 0 and 1, and none knows a language. */
import type { Candidate, Section } from "./candidateUnits.ts"
import type { QuestionTerms } from "./QuestionTerms.ts"
import { type Matches, type Reading, union } from "./Reading.ts"

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
  readonly #sections = new Map<Section, Reading>()
  readonly #texts = new Map<string, Matches>()
  readonly #best: number

  constructor(terms: QuestionTerms, best: number) {
    this.#terms = terms
    this.#best = best
  }

  features({ documentRank, index, passage, rank, section, unit }: Candidate): Features {
    const terms = this.#terms
    const reading = this.#readingOf(section)
    const occurrences = reading.within(unit)
    const own = reading.matches(unit)
    const headings = unit.headings.reduce((all, heading) => union(all, reading.matches(heading)), terms.none())
    const around = union(this.#matchesOf(section.document.title ?? ""), this.#matchesOf(section.context))
    const lead = unit.lead === null ? around : union(around, reading.matches(unit.lead))
    const context = union(lead, union(own, headings))
    const next = section.units[index + 1]
    const withNext = next === undefined ? context : union(context, reading.matches(next))
    const [covered, inContext] = [terms.coverage(own), terms.coverage(context)]
    const values = [
      covered,
      inContext - covered,
      terms.coverage(withNext) - inContext,
      terms.proximity(occurrences, NEAR),
      clipped(passage.score / this.#best),
      1 / (1 + rank),
      1 / (1 + documentRank),
      clipped(Math.log(1 + Math.max(0, reading.wordsIn(unit) - occurrences.length)) / 4),
      QUESTION.test(section.text.slice(Math.max(unit.start, unit.end - 4), unit.end)) ? 1 : 0,
      clipped((unit.end - unit.start) / LONG),
      terms.coverage(headings)
    ]
    const named = Object.fromEntries(FEATURES.map((name, at) => [name, values[at]!])) as Features["named"]
    return { values, named, covered: context }
  }

  #readingOf(section: Section): Reading {
    const known = this.#sections.get(section)
    if (known !== undefined) return known
    const reading = this.#terms.read(section.text)
    this.#sections.set(section, reading)
    return reading
  }

  #matchesOf(text: string): Matches {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const matches = this.#terms.read(text).matches({ start: 0, end: text.length })
    this.#texts.set(text, matches)
    return matches
  }
}
