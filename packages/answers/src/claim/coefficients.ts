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
  units: [5.768, 4.088, -0.078, 3.615, 4.531, 2.989, 0.950, 0.432, 1.175, -2.042, -0.634, 2.363],
  claim: [1.986, 1.084, -0.065, -2.875, -0.707, 1.692, 0.895, -0.287, 0.743, 0.350, -3.522],
  threshold: 0.67
}
