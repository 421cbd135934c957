/** Which segments to merge, so that their number grows with the logarithm of the content. */
import { inPacks } from "./inPacks.ts"

/** Sizes between two powers of this are one level; this many segments of a level are merged into one. */
const FACTOR = 4

const level = (chunks: number): number => Math.floor(Math.log(Math.max(1, chunks)) / Math.log(FACTOR))

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
 * Groups of positions to merge, each into one segment of at most `maximum` chunks. A merged segment that fills its level
 * is merged with that level at once, instead of being written twice.
 */
export const mergePlan = (sizes: ReadonlyArray<number>, maximum: number): ReadonlyArray<ReadonlyArray<number>> => {
  const single = sizes.map((size, position): Group => ({ positions: [position], size }))
  const levels = Map.groupBy(single, ({ size }) => level(size))
  const plan: Array<Group> = []
  for (let current = 0; current <= level(maximum); current++) {
    const groups = levels.get(current) ?? []
    const merged = groups.length < FACTOR ? groups : inPacks(groups, ({ size }) => size, maximum).map(joined)
    for (const group of merged) {
      const next = level(group.size)
      if (next === current) plan.push(group)
      else levels.set(next, [...levels.get(next) ?? [], group])
    }
  }
  return plan.map(({ positions }) => positions).filter(({ length }) => length > 1)
}
