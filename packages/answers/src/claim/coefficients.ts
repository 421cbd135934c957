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
  units: [6.52, 4.88, 3.19, 5.01, 2.11, 0.75, 0.09, 0.02, -1.64, -0.19, 2.32],
  claim: [1.15, -2.28, -2.34, 3.89, -0.82, 0.63, 1.29, -2.70],
  threshold: 0.68
}
