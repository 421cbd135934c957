/** Which segments to merge, so that there are few to search and each document is seldom written again. */
import { packConsecutive } from "./packConsecutive.ts"

/** Sizes between two powers of this are one level; this many segments of a level are merged into one. */
const FACTOR = 4

const level = (chunks: number): number => Math.floor(Math.log(Math.max(1, chunks)) / Math.log(FACTOR))

/** A segment is merged with the smaller ones if they have at least this share of its size together. */
const WORTH = 1 / 4

/** Segments that become one. */
interface Group {
  readonly positions: ReadonlyArray<number>
  readonly size: number
}

const joined = (groups: ReadonlyArray<Group>): Group => ({
  positions: groups.flatMap(({ positions }) => positions),
  size: groups.reduce((sum, { size }) => sum + size, 0)
})

/**
 * While content changes: groups of positions to merge, each into one segment of at most `maximum` chunks, so that the
 * number of segments grows with the logarithm of the content. A merged segment that fills its level is merged with that
 * level at once, instead of being written twice.
 */
export const mergePlan = (sizes: ReadonlyArray<number>, maximum: number): ReadonlyArray<ReadonlyArray<number>> => {
  const single = sizes.map((size, position): Group => ({ positions: [position], size }))
  const levels = Map.groupBy(single, ({ size }) => level(size))
  const plan: Array<Group> = []
  for (let current = 0; current <= level(maximum); current++) {
    const groups = levels.get(current) ?? []
    const merged = groups.length < FACTOR ? groups : packConsecutive(groups, ({ size }) => size, maximum).map(joined)
    for (const group of merged) {
      const next = level(group.size)
      if (next === current) plan.push(group)
      else levels.set(next, [...levels.get(next) ?? [], group])
    }
  }
  return plan.map(({ positions }) => positions).filter(({ length }) => length > 1)
}

/** While nothing changes: the same for as few segments as possible. Segments that are half full are left alone. */
export const compactionPlan = (sizes: ReadonlyArray<number>, maximum: number): ReadonlyArray<ReadonlyArray<number>> => {
  const ascending = [...sizes.keys()].filter((at) => sizes[at]! * 2 <= maximum).sort((a, b) => sizes[a]! - sizes[b]!)
  let smaller = 0
  let merged = 0
  ascending.forEach((at, count) => {
    if (smaller > 0 && smaller >= sizes[at]! * WORTH) merged = count + 1
    smaller += sizes[at]!
  })
  return packConsecutive(ascending.slice(0, merged), (at) => sizes[at]!, maximum).filter(({ length }) => length > 1)
}
