/** The excerpts to show: the stretches of text that most likely contain the answer, each made of whole units. */
import type { Quote } from "@tributary/core/ports/Answerer"
import type { Span, Unit } from "@tributary/retrieval"
import type { Section } from "./candidateUnits.ts"
import type { ScoredUnit } from "./scoredUnits.ts"

export interface Excerpt extends Span {
  readonly section: Section
  /** The line that introduces it, if that is not part of it. */
  readonly lead: Span | null
}

/** Gaps of up to this many characters are filled, for readers and for language models. */
export const FILLED_GAP = 200

export interface Limits {
  readonly most: number
  /** The maximum length of the stretch that is added at a step, from 0, unless it is a single unit. */
  longest(step: number): number
  /** Text between two stretches that is no longer than this is shown, too: a reader would miss it. */
  readonly gap: number
  /** The maximum length of all together; the last stretch may exceed it by a unit. */
  readonly total: number
  /** The likelihood of the first unit that is added at a step, at least, as a share of that of the likeliest one. */
  readonly beginning: number
  /** No more is shown once one of the excerpts holds the answer with this probability, if anything does. */
  readonly enough: number
}

/** Consecutive units of a section. */
interface Run {
  readonly section: Section
  readonly first: number
  readonly last: number
}

const spanOf = ({ first, last, section: { units } }: Run): Span => ({
  start: units[first]!.start,
  end: units[last]!.end
})

/** For each section, the likelihood of each of its units; 0 for those that were not found. */
type Likelihoods = ReadonlyMap<Section, Float64Array>

const likelihoodsOf = (units: ReadonlyArray<ScoredUnit>): Likelihoods => {
  const known = new Map(units.map(({ likelihood, unit }) => [unit, likelihood]))
  const sections = new Set(units.map(({ section }) => section))
  return new Map([...sections].map((one) => [one, Float64Array.from(one.units, (unit) => known.get(unit) ?? 0)]))
}

// A section may have thousands of units, and each may begin a run of hundreds: no list is made of any run.
const likelihoodOf = ({ first, last, section }: Run, likelihoods: Likelihoods): number => {
  const own = likelihoods.get(section)!
  let sum = 0
  for (let at = first; at <= last; at++) sum += own[at]!
  return sum
}

/** What comes before the units that count would only be read in vain, and take the room of what follows them. */
const beginsWell = ({ first, last, section }: Run, likelihoods: Likelihoods, share: number): boolean => {
  const own = likelihoods.get(section)!
  for (let at = first + 1; at <= last; at++) if (own[first]! < share * own[at]!) return false
  return true
}

/** A line that ends like this is about what follows it. */
const INTRODUCES = /[:：][*_]{0,2}$/

const runFrom = (section: Section, first: number, longest: number, shown: ReadonlySet<Unit>): Run => {
  const { text, units } = section
  let last = first
  while (last + 1 < units.length) {
    const unit = units[last + 1]!
    if (unit.end - units[first]!.start > longest || shown.has(unit)) break
    last++
  }
  while (last > first && INTRODUCES.test(text.slice(units[last]!.end - 3, units[last]!.end))) last--
  return { section, first, last }
}

const isNext = (one: Run, other: Run): boolean =>
  one.section === other.section && (one.last + 1 === other.first || other.last + 1 === one.first)

/** With the units that lie between it and those that are shown just before and after it. */
const bridged = (run: Run, shown: ReadonlySet<Unit>, gap: number): Run => {
  const { first, last, section, section: { units } } = run
  const before = units.findLastIndex((unit, at) => at < first && shown.has(unit))
  const after = units.findIndex((unit, at) => at > last && shown.has(unit))
  return {
    section,
    first: before >= 0 && units[first]!.start - units[before]!.end <= gap ? before + 1 : first,
    last: after >= 0 && units[after]!.start - units[last]!.end <= gap ? after - 1 : last
  }
}

const joined = (runs: ReadonlyArray<Run>): Run => ({
  section: runs[0]!.section,
  first: Math.min(...runs.map(({ first }) => first)),
  last: Math.max(...runs.map(({ last }) => last))
})

const excerptOf = (run: Run): Excerpt => {
  const { lead } = run.section.units[run.first]!
  const span = spanOf(run)
  return { section: run.section, ...span, lead: lead !== null && lead.start < span.start ? lead : null }
}

/**
 * The likeliest excerpts first; each stretch of text is shown once. Adjacent stretches become one excerpt, and when
 * there are enough excerpts, only those grow.
 */
export const excerptsOf = (
  units: ReadonlyArray<ScoredUnit>,
  { beginning, enough, gap, most, total, ...limits }: Limits
): ReadonlyArray<Excerpt> => {
  const likelihoods = likelihoodsOf(units)
  const found = new Set(units.map(({ unit }) => unit))
  const starts = [...likelihoods.keys()].flatMap((section) =>
    section.units.flatMap((unit, first) => found.has(unit) ? [{ section, unit, first }] : [])
  )
  const shown = new Set<Unit>()
  let runs: ReadonlyArray<Run> = []
  let held = 0
  for (let step = 0, left = total; held < enough && left > 0; step++) {
    const longest = Math.min(left, limits.longest(step))
    let [best, likeliest]: [Run | null, number] = [null, -1]
    for (const { first, section, unit } of starts) {
      if (shown.has(unit)) continue
      const run = runFrom(section, first, longest, shown)
      const likelihood = likelihoodOf(run, likelihoods)
      if (likelihood <= likeliest || runs.length >= most && !runs.some((one) => isNext(one, run))) continue
      if (!beginsWell(run, likelihoods, beginning)) continue
      ;[best, likeliest] = [run, likelihood]
    }
    if (best === null) break
    const next = bridged(best, shown, gap)
    for (const unit of next.section.units.slice(next.first, next.last + 1)) shown.add(unit)
    held += likelihoodOf(next, likelihoods)
    const { end, start } = spanOf(next)
    left -= end - start
    const [place, ...others] = runs.filter((one) => isNext(one, next))
    runs = place === undefined
      ? [...runs, next]
      : runs.filter((one) => !others.includes(one)).map((one) => one === place ? joined([place, ...others, next]) : one)
  }
  return runs.map(excerptOf)
}

export const includes = (excerpt: Pick<Excerpt, "end" | "section" | "start">, { section, unit }: ScoredUnit): boolean =>
  excerpt.section === section && excerpt.start <= unit.start && unit.end <= excerpt.end

export const textOf = ({ text }: Section, { end, start }: Span): string => text.slice(start, end)

export const quoteOf = ({ start, version }: Section, span: Span): Quote => ({
  ...version,
  start: start + span.start,
  end: start + span.end
})
