/** What an axis is marked with. */

const STEPS = [1, 2, 5, 10] as const

/** Round numbers from 0 to at least the highest value, about four steps, never parts of one. */
export const ticksOf = (highest: number): ReadonlyArray<number> => {
  const least = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = STEPS.find((step) => step * power >= least)! * power
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, index) => index * step)
}

/** Indexes of at most four days, evenly apart, the last one among them. */
export const dayTicks = (count: number): ReadonlyArray<number> => {
  const step = Math.ceil(count / 4)
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).reverse()
}
