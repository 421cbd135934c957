/** The features of a unit as the answer to a question. All are between 0 and 1, and independent of the language. */
import type { Candidate, Section } from "./candidateUnits.ts"
import type { QuestionTerms } from "./QuestionTerms.ts"
import { type Matches, union, type WordOccurrences } from "./WordOccurrences.ts"

const NEAR = 12
const MANY = 50

export interface Features {
  /** The features that the unit coefficients weigh, in this order. */
  readonly values: ReadonlyArray<number>
  /** The coverage of the question by the unit and its context. */
  readonly covered: Matches
}

export class UnitReader {
  readonly #terms: QuestionTerms
  readonly #sections = new Map<Section, WordOccurrences>()
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
        // The score of its passage, relative to the best one.
        share,
        // Share of the question that its headings cover.
        terms.coverage(headings),
        // How often it names the subject of the question.
        Math.min(1, Math.log(1 + occurrences.length) / Math.log(1 + MANY))
      ],
      covered
    }
  }

  #readingOf(section: Section): WordOccurrences {
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
