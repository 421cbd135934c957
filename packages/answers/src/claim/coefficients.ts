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
  units: [5.86, 4.64, 3.65, 4.57, 2.95, 0.90, 0.48, 0.97, -2.06, -0.52, 2.51],
  claim: [1.50, -3.11, -0.61, 3.86, -2.33, 0.87, 1.55, -3.51],
  threshold: 0.65
}
