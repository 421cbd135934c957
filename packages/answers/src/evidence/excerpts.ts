/** What is shown of the best units: each with what follows and precedes it in its section, as far as that is short. */
import type { Quote } from "@tributary/core/ports/Answerer"
import type { Section } from "./candidateUnits.ts"
import type { ScoredUnit } from "./scoredUnits.ts"

interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Excerpt extends Stretch {
  readonly section: Section
  /** What introduces it, where that is not part of it. */
  readonly lead: Stretch | null
}

const headingsKey = (section: Section, index: number): string | undefined =>
  section.units[index]?.headings.map(({ start }) => start).join()

const widened = ({ index, section, unit }: ScoredUnit, longest: number): Stretch => {
  const { units } = section
  const key = headingsKey(section, index)
  let { end, start } = unit
  let [first, last] = [index, index]
  for (;;) {
    const next = units[last + 1]
    const before = units[first - 1]
    if (next !== undefined && headingsKey(section, last + 1) === key && next.end - start <= longest) {
      last++
      end = next.end
    } else if (before !== undefined && headingsKey(section, first - 1) === key && end - before.start <= longest) {
      first--
      start = before.start
    } else return { start, end }
  }
}

/** `units` come best first, and so do the excerpts; each stretch of text is shown once. */
export const excerptsOf = (units: ReadonlyArray<ScoredUnit>, most: number, longest: number): ReadonlyArray<Excerpt> => {
  const excerpts: Array<Excerpt> = []
  for (const scored of units) {
    if (excerpts.length === most) break
    const { section, unit } = scored
    const others = excerpts.filter((excerpt) => excerpt.section === section)
    if (others.some(({ end, start }) => start <= unit.start && unit.end <= end)) continue
    const wide = widened(scored, longest)
    // What is shown already limits how far another excerpt reaches.
    const isFree = others.every(({ end, start }) => wide.end <= start || wide.start >= end)
    const { end, start } = isFree ? wide : unit
    const lead = unit.lead !== null && unit.lead.start < start ? unit.lead : null
    excerpts.push({ section, start, end, lead })
  }
  return excerpts
}

export const textOf = ({ text }: Section, { end, start }: Stretch): string => text.slice(start, end)

export const quoteOf = ({ start, version }: Section, stretch: Stretch): Quote => ({
  ...version,
  start: start + stretch.start,
  end: start + stretch.end
})
