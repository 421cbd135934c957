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
  /** The maximum length of the stretch that is added at a step, from 0, unless it is a single unit. */
  longest(step: number): number
  /** The maximum length of all together; the last stretch may exceed it by a unit. */
  readonly total: number
  /** The share of the odds of an excerpt that its first and last units must have to be shown. */
  readonly negligible: number
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

const trimmed = ({ first, last, section, ...run }: Run, odds: Odds, negligible: number): Run => {
  const oddsAt = (at: number) => odds.get(section.units[at]!) ?? 0
  let spare = negligible * run.odds
  let [from, to] = [first, last]
  for (; from < to && oddsAt(from) < spare; from++) spare -= oddsAt(from)
  for (; from < to && oddsAt(to) < spare; to--) spare -= oddsAt(to)
  return { ...run, section, first: from, last: to }
}

const isNext = (one: Run, other: Run): boolean =>
  one.section === other.section && (one.last + 1 === other.first || other.last + 1 === one.first)

const joined = (runs: ReadonlyArray<Run>, section: Section): Run => ({
  section,
  first: Math.min(...runs.map(({ first }) => first)),
  last: Math.max(...runs.map(({ last }) => last)),
  odds: runs.reduce((sum, { odds }) => sum + odds, 0)
})

const lengthOf = ({ first, last, section: { units } }: Run): number => units[last]!.end - units[first]!.start

/** Units with the same text as a candidate. */
const repeatedIn = (sections: Iterable<Section>, odds: Odds): ReadonlyArray<Unit> => {
  const all = [...sections].flatMap((section) =>
    section.units.map((unit) => ({ unit, text: textOf(section, unit), isCandidate: odds.has(unit) }))
  )
  const texts = new Set(all.flatMap(({ isCandidate, text }) => isCandidate ? [text] : []))
  return all.flatMap(({ isCandidate, text, unit }) => !isCandidate && texts.has(text) ? [unit] : [])
}

/**
 * The excerpt of the best unit first, then the likeliest; each stretch of text is shown once. Adjacent stretches become
 * one excerpt, and when there are enough excerpts, only those grow.
 */
export const excerptsOf = (
  units: ReadonlyArray<ScoredUnit>,
  { enough, most, negligible, total, ...limits }: Limits
): ReadonlyArray<Excerpt> => {
  const [top] = units
  const isTop = ({ first, last, section }: Run) => section === top?.section && first <= top.index && top.index <= last
  const odds = new Map(units.map(({ score, unit }) => [unit, Math.exp(score - units[0]!.score)]))
  const sections = new Set(units.map(({ section }) => section))
  const shown = new Set(repeatedIn(sections, odds))
  let runs: ReadonlyArray<Run> = []
  let missing = [...odds.values()].reduce((sum, one) => sum + one, 0)
  const bearable = (1 - enough) * missing
  for (let place = 0, left = total; missing > bearable && left > 0; place++) {
    const longest = Math.min(left, limits.longest(place))
    const run = likeliestRun(
      runs.length < most ? sections : new Set(runs.map(({ section }) => section)),
      odds,
      longest,
      shown,
      (run) => place === 0 ? isTop(run) : runs.length < most || runs.some((one) => isNext(one, run))
    )
    if (run === null) break
    for (const unit of run.section.units.slice(run.first, run.last + 1)) shown.add(unit)
    missing -= run.odds
    const near = runs.filter((one) => isNext(one, run))
    const whole = joined([...near, run], run.section)
    left -= lengthOf(whole) - near.reduce((sum, one) => sum + lengthOf(one), 0)
    const [replaced] = near
    runs = replaced === undefined
      ? [...runs, whole]
      : runs.flatMap((one) => one === replaced ? whole : near.includes(one) ? [] : one)
  }
  return runs.map((run) => excerptOf(trimmed(run, odds, negligible)))
}

export const textOf = ({ text }: Section, { end, start }: Stretch): string => text.slice(start, end)

export const quoteOf = ({ start, version }: Section, stretch: Stretch): Quote => ({
  ...version,
  start: start + stretch.start,
  end: start + stretch.end
})
