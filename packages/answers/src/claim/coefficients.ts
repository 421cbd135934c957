/** Written by `npm run bench -- fit`. */
export interface Coefficients {
  /** One for each feature of a unit. */
  readonly units: ReadonlyArray<number>
  /** One for each feature of a claim, and the intercept. */
  readonly claim: ReadonlyArray<number>
  /** From which probability on a question counts as answered, unless a host sets another. */
  readonly threshold: number
}

export const COEFFICIENTS: Coefficients = {
  units: [6.08, 4.85, 4.08, 4.75, 2.97, 0.68, 0.72, 0.98, -1.90, -0.43, 2.53],
  claim: [1.55, -3.21, -0.54, 3.49, -2.21, 0.84, 1.32, -3.31],
  threshold: 0.66
}
