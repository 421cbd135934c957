/** Which segments to merge, so that their number grows with the logarithm of the content. */

/** Sizes between two powers of this are one level; this many segments of a level are merged into one. */
const FACTOR = 4

const level = (chunks: number): number => Math.floor(Math.log(Math.max(1, chunks)) / Math.log(FACTOR))

/** Groups of positions to merge, each into one segment of at most `maximum` chunks. */
export const mergePlan = (sizes: ReadonlyArray<number>, maximum: number): ReadonlyArray<ReadonlyArray<number>> => {
  const levels = Map.groupBy(sizes.keys(), (position) => level(sizes[position]!))
  return [...levels.values()].flatMap((positions) => {
    if (positions.length < FACTOR) return []
    const groups: Array<Array<number>> = []
    let room = 0
    for (const position of positions) {
      const size = sizes[position]!
      if (groups.length === 0 || size > room) {
        groups.push([])
        room = maximum
      }
      groups.at(-1)!.push(position)
      room -= size
    }
    return groups.filter((group) => group.length > 1)
  })
}
