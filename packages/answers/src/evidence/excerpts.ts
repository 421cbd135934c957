/** The excerpts to show: the stretches of text that most likely contain the answer, each made of whole units. */
import type { Quote } from "@tributary/core/ports/Answerer"
import type { Unit } from "@tributary/retrieval"
import type { Section } from "./candidateUnits.ts"
import type { ScoredUnit } from "./scoredUnits.ts"
import type { Stretch } from "./WordOccurrences.ts"

export interface Excerpt extends Stretch {
  readonly section: Section
  /** The line that introduces it, if that is not part of it. */
  readonly lead: Stretch | null
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
  /** No more is shown once one of the excerpts holds the answer with this probability, if anything does. */
  readonly enough: number
}

/** Consecutive units of a section. */
interface Run {
  readonly section: Section
  readonly first: number
  readonly last: number
}

interface LikelyRun extends Run {
  readonly likelihood: number
}

type Likelihoods = ReadonlyMap<Unit, number>

const runFrom = (
  section: Section,
  first: number,
  longest: number,
  likelihoods: Likelihoods,
  shown: ReadonlySet<Unit>
): LikelyRun => {
  const { units } = section
  const { start } = units[first]!
  let last = first
  let likelihood = likelihoods.get(units[first]!) ?? 0
  for (let at = first + 1; at < units.length; at++) {
    const unit = units[at]!
    if (unit.end - start > longest || shown.has(unit)) break
    last = at
    likelihood += likelihoods.get(unit) ?? 0
  }
  return { section, first, last, likelihood }
}

const isNext = (one: Run, other: Run): boolean =>
  one.section === other.section && (one.last + 1 === other.first || other.last + 1 === one.first)

/** With the units that lie between it and stretches just before and after it. */
const bridged = (run: LikelyRun, runs: ReadonlyArray<Run>, gap: number, likelihoods: Likelihoods): LikelyRun => {
  const { section, section: { units } } = run
  const others = runs.filter((one) => one.section === section)
  const before = Math.max(-1, ...others.map((one) => one.last).filter((at) => at < run.first))
  const after = Math.min(units.length, ...others.map((one) => one.first).filter((at) => at > run.last))
  const first = before >= 0 && units[run.first]!.start - units[before]!.end <= gap ? before + 1 : run.first
  const last = after < units.length && units[after]!.start - units[run.last]!.end <= gap ? after - 1 : run.last
  const likelihood = units.slice(first, last + 1).reduce((sum, unit) => sum + (likelihoods.get(unit) ?? 0), 0)
  return { section, first, last, likelihood }
}

const joined = (runs: ReadonlyArray<Run>, section: Section): Run => ({
  section,
  first: Math.min(...runs.map(({ first }) => first)),
  last: Math.max(...runs.map(({ last }) => last))
})

const stretchOf = ({ first, last, section: { units } }: Run): Stretch => ({
  start: units[first]!.start,
  end: units[last]!.end
})

const excerptOf = (run: Run): Excerpt => {
  const { lead } = run.section.units[run.first]!
  const stretch = stretchOf(run)
  return { section: run.section, ...stretch, lead: lead !== null && lead.start < stretch.start ? lead : null }
}

/**
 * The likeliest excerpts first; each stretch of text is shown once. Adjacent stretches become one excerpt, and when
 * there are enough excerpts, only those grow.
 */
export const excerptsOf = (
  units: ReadonlyArray<ScoredUnit>,
  { enough, gap, most, total, ...limits }: Limits
): ReadonlyArray<Excerpt> => {
  const likelihoods = new Map(units.map(({ likelihood, unit }) => [unit, likelihood]))
  const starts = [...new Set(units.map(({ section }) => section))].flatMap((section) =>
    section.units.flatMap((unit, first) => likelihoods.has(unit) ? [{ section, unit, first }] : [])
  )
  const shown = new Set<Unit>()
  let runs: ReadonlyArray<Run> = []
  let held = 0
  for (let step = 0, left = total; held < enough && left > 0; step++) {
    const longest = Math.min(left, limits.longest(step))
    let best: LikelyRun | null = null
    for (const { first, section, unit } of starts) {
      if (shown.has(unit)) continue
      const run = runFrom(section, first, longest, likelihoods, shown)
      if (best !== null && run.likelihood <= best.likelihood) continue
      if (runs.length < most || runs.some((one) => isNext(one, run))) best = run
    }
    if (best === null) break
    best = bridged(best, runs, gap, likelihoods)
    for (const unit of best.section.units.slice(best.first, best.last + 1)) shown.add(unit)
    held += best.likelihood
    const { end, start } = stretchOf(best)
    left -= end - start
    const [place, ...others] = runs.filter((one) => isNext(one, best))
    runs = place === undefined
      ? [...runs, best]
      : runs.filter((one) => !others.includes(one))
        .map((one) => one === place ? joined([place, ...others, best], best.section) : one)
  }
  return runs.map(excerptOf)
}

export const includes = (excerpt: Pick<Excerpt, "end" | "section" | "start">, { section, unit }: ScoredUnit): boolean =>
  excerpt.section === section && excerpt.start <= unit.start && unit.end <= excerpt.end

export const textOf = ({ text }: Section, { end, start }: Stretch): string => text.slice(start, end)

export const quoteOf = ({ start, version }: Section, stretch: Stretch): Quote => ({
  ...version,
  start: start + stretch.start,
  end: start + stretch.end
})
