/** Two small regressions by gradient descent with regularisation. */

interface Descent {
  readonly size: number
  readonly steps: number
  /** Keeps coefficients small. */
  readonly decay: number
  /** Adds the gradient at some coefficients to an array of zeros. */
  readonly gradient: (at: Float64Array, into: Float64Array) => void
}

const RATE = 0.1

/** Adam: a step size per coefficient. */
const descend = ({ decay, gradient, size, steps }: Descent): ReadonlyArray<number> => {
  const [at, mean, square] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)]
  for (let step = 1; step <= steps; step++) {
    const slope = new Float64Array(size)
    gradient(at, slope)
    for (let index = 0; index < size; index++) {
      const value = slope[index]! + decay * at[index]!
      mean[index] = 0.9 * mean[index]! + 0.1 * value
      square[index] = 0.999 * square[index]! + 0.001 * value * value
      at[index]! -= RATE * (mean[index]! / (1 - 0.9 ** step)) / (Math.sqrt(square[index]! / (1 - 0.999 ** step)) + 1e-9)
    }
  }
  return [...at]
}

const dot = (at: ArrayLike<number>, values: ReadonlyArray<number>): number => {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += at[index]! * values[index]!
  return sum
}

export interface Choice {
  readonly values: ReadonlyArray<number>
  readonly isRight: boolean
}

/** Coefficients that rank the right choices of each list first, by maximizing their softmax probability. */
export const fitRanking = (lists: ReadonlyArray<ReadonlyArray<Choice>>): ReadonlyArray<number> => {
  const known = lists.filter((list) => list.some(({ isRight }) => isRight))
  const size = known[0]?.[0]?.values.length ?? 0
  return descend({
    size,
    steps: 200,
    decay: 0.0005,
    gradient: (at, into) => {
      for (const list of known) {
        const scores = list.map(({ values }) => dot(at, values))
        const most = scores.reduce((one, other) => Math.max(one, other), -Infinity)
        const parts = scores.map((score) => Math.exp(score - most))
        const whole = parts.reduce((sum, part) => sum + part, 0)
        const right = parts.reduce((sum, part, index) => sum + (list[index]!.isRight ? part : 0), 0)
        list.forEach(({ isRight, values }, index) => {
          const share = (parts[index]! / whole - (isRight ? parts[index]! / right : 0)) / known.length
          for (let feature = 0; feature < size; feature++) into[feature]! += share * values[feature]!
        })
      }
    }
  })
}

/** Logistic regression; the last coefficient is the intercept. */
export const fitClaim = (cases: ReadonlyArray<Choice>): ReadonlyArray<number> => {
  const rows = cases.map(({ isRight, values }) => ({ isRight, values: [...values, 1] }))
  return descend({
    size: rows[0]?.values.length ?? 0,
    steps: 600,
    decay: 0.001,
    gradient: (at, into) => {
      for (const { isRight, values } of rows) {
        const error = (1 / (1 + Math.exp(-dot(at, values))) - (isRight ? 1 : 0)) / rows.length
        values.forEach((value, feature) => into[feature]! += error * value)
      }
    }
  })
}
