/** The features of a unit as the answer to a question. All are between 0 and 1, and independent of the language. */
import type { Candidate } from "./candidateUnits.ts"
import type { QuestionTerms } from "./QuestionTerms.ts"
import { within } from "./Occurrence.ts"

/** The number of consecutive words that are near each other. */
const NEAR = 12

export interface Features {
  /** The features that the unit coefficients weigh, in this order. */
  readonly values: ReadonlyArray<number>
  /** Share of the question that the unit and its context cover. */
  readonly covered: number
  /** The weight of the question's words in them that are no part of a name. */
  readonly weight: number
}

export const featuresOf = (terms: QuestionTerms, { section, share, unit }: Candidate): Features => {
  const reading = terms.read(section.text)
  // In code, what is called `server.listen` says less of servers and listening than a sentence does.
  const own = within(reading, unit).filter(({ isQualified }) => unit.form !== "code" || !isQualified)
  const above = unit.lead === null ? unit.headings : [...unit.headings, unit.lead]
  const around = [section.document.title ?? "", section.context].flatMap((text) => terms.read(text))
    .concat(above.flatMap((span) => within(reading, span)))
  const all = [...own, ...around]
  const [coverage, covered] = [terms.coverage(own), terms.coverage(all)]
  return {
    values: [
      // Share of the question that the unit covers.
      coverage,
      // What its headings, title and lead add to that.
      covered - coverage,
      // What they cover, too: what it is about.
      terms.coverage(around),
      // Share of the question covered by words that are near each other.
      terms.proximity(own, NEAR),
      // The score of its passage, relative to the best one.
      share
    ],
    covered,
    weight: terms.weightBesideNames(all)
  }
}
