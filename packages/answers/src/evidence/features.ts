/** The features of a unit as the answer to a question. All are between 0 and 1, and independent of the language. */
import type { Candidate, Section } from "./candidateUnits.ts"
import type { QuestionTerms } from "./QuestionTerms.ts"
import { type Matches, union, type WordOccurrences } from "./WordOccurrences.ts"

/** The number of consecutive words that are near each other. */
const NEAR = 12

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
    // In code, what is called `server.listen` says less of servers and listening than a sentence does.
    const occurrences = reading.within(unit).filter(({ isQualified }) => unit.form !== "code" || !isQualified)
    const own = reading.matchesOf(occurrences)
    const above = unit.lead === null ? unit.headings : [...unit.headings, unit.lead]
    const around = [section.document.title ?? "", section.context].map((text) => this.#matchesOf(text))
      .concat(above.map((stretch) => reading.matches(stretch))).reduce(union)
    const covered = union(own, around)
    const coverage = terms.coverage(own)
    return {
      values: [
        // Share of the question that the unit covers.
        coverage,
        // What its headings, title and lead add to that.
        terms.coverage(covered) - coverage,
        // What they cover, too: what it is about.
        terms.coverage(around),
        // Share of the question covered by words that are near each other.
        terms.proximity(occurrences, NEAR),
        // The score of its passage, relative to the best one.
        share
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
