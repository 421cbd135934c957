/** What speaks for a unit as the answer to a question. All features lie between 0 and 1, and none knows a language. */
import type { Candidate, Section } from "./candidateUnits.ts"
import type { QuestionTerms } from "./QuestionTerms.ts"
import { type Matches, type Reading, union } from "./Reading.ts"

const NEAR = 12
const MANY = 50

export interface Features {
  /** What the coefficients of units weigh, in this order. */
  readonly values: ReadonlyArray<number>
  /** What the unit and its context match. */
  readonly covered: Matches
}

export class UnitReader {
  readonly #terms: QuestionTerms
  readonly #sections = new Map<Section, Reading>()
  readonly #texts = new Map<string, Matches>()

  constructor(terms: QuestionTerms) {
    this.#terms = terms
  }

  features({ section, share, unit }: Candidate): Features {
    const terms = this.#terms
    const reading = this.#readingOf(section)
    const occurrences = reading.within(unit)
    const own = reading.matches(unit)
    const headings = unit.headings.reduce((all, heading) => union(all, reading.matches(heading)), terms.none())
    const around = union(this.#matchesOf(section.document.title ?? ""), this.#matchesOf(section.context))
    const lead = unit.lead === null ? around : union(around, reading.matches(unit.lead))
    const covered = union(lead, union(own, headings))
    const coverage = terms.coverage(own)
    return {
      values: [
        // Share of the question that the unit covers.
        coverage,
        // What its headings, title and lead add to that.
        terms.coverage(covered) - coverage,
        // Share of the question covered by words that are near each other.
        terms.proximity(occurrences, NEAR),
        // How well its passage matches, beside the best one.
        share,
        // Share of the question that its headings cover.
        terms.coverage(headings),
        // How often it names what is asked about.
        Math.min(1, Math.log(1 + occurrences.length) / Math.log(1 + MANY))
      ],
      covered
    }
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
