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
  units: [3.90, 4.96, 3.72, 1.89, 2.13, 2.92],
  claim: [-3.74, 3.23, 4.07, -2.11],
  threshold: 0.72
}
