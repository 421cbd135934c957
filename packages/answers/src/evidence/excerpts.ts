/** The excerpts to show: the stretches of text that most likely contain the answer, each made of whole units. */
import type { Quote } from "@tributary/core/ports/Answerer"
import type { Unit } from "@tributary/retrieval"
import type { Section } from "./candidateUnits.ts"
import type { ScoredUnit } from "./scoredUnits.ts"

interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Excerpt extends Stretch {
  readonly section: Section
  /** The line that introduces it, if that is not part of it. */
  readonly lead: Stretch | null
}

export interface Limits {
  readonly most: number
  /** The maximum length of the excerpt at an index, from 0, unless it is a single unit. */
  longest(place: number): number
  /** No more is shown once one of the excerpts holds the answer with this probability, if anything does. */
  readonly enough: number
}

/** Consecutive units of a section. */
interface Run {
  readonly section: Section
  readonly first: number
  readonly last: number
  /** The odds of its units together. */
  readonly odds: number
}

type Odds = ReadonlyMap<Unit, number>

const runFrom = (section: Section, first: number, odds: Odds, longest: number, shown: ReadonlySet<Unit>): Run => {
  const { units } = section
  const { start } = units[first]!
  let last = first
  let sum = odds.get(units[first]!)!
  for (let at = first + 1; at < units.length; at++) {
    const unit = units[at]!
    if (unit.end - start > longest || shown.has(unit)) break
    last = at
    sum += odds.get(unit) ?? 0
  }
  return { section, first, last, odds: sum }
}

const likeliestRun = (
  sections: Iterable<Section>,
  odds: Odds,
  longest: number,
  shown: ReadonlySet<Unit>,
  holds: (run: Run) => boolean
): Run | null => {
  let best: Run | null = null
  for (const section of sections) {
    section.units.forEach((unit, first) => {
      if (shown.has(unit) || !odds.has(unit)) return
      const run = runFrom(section, first, odds, longest, shown)
      if (holds(run) && (best === null || run.odds > best.odds)) best = run
    })
  }
  return best
}

const excerptOf = ({ first, last, section }: Run): Excerpt => {
  const { lead, start } = section.units[first]!
  return { section, start, end: section.units[last]!.end, lead: lead !== null && lead.start < start ? lead : null }
}

/** The excerpt of the best unit first, then the likeliest; each stretch of text is shown once. */
export const excerptsOf = (
  units: ReadonlyArray<ScoredUnit>,
  { enough, most, ...limits }: Limits
): ReadonlyArray<Excerpt> => {
  const [top] = units
  const isTop = ({ first, last, section }: Run) => section === top?.section && first <= top.index && top.index <= last
  const odds = new Map(units.map(({ score, unit }) => [unit, Math.exp(score - units[0]!.score)]))
  const sections = new Set(units.map(({ section }) => section))
  const shown = new Set<Unit>()
  const excerpts: Array<Excerpt> = []
  let missing = [...odds.values()].reduce((sum, one) => sum + one, 0)
  const bearable = (1 - enough) * missing
  while (excerpts.length < most && missing > bearable) {
    const longest = limits.longest(excerpts.length)
    const run = likeliestRun(sections, odds, longest, shown, (run) => shown.size > 0 || isTop(run))
    if (run === null) break
    for (const unit of run.section.units.slice(run.first, run.last + 1)) shown.add(unit)
    missing -= run.odds
    excerpts.push(excerptOf(run))
  }
  return excerpts
}

export const textOf = ({ text }: Section, { end, start }: Stretch): string => text.slice(start, end)

export const quoteOf = ({ start, version }: Section, stretch: Stretch): Quote => ({
  ...version,
  start: start + stretch.start,
  end: start + stretch.end
})
