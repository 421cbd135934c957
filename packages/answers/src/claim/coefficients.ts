/** Written by `npm run bench -- fit`. */
export interface Coefficients {
  /** One for each feature of a unit. */
  readonly units: ReadonlyArray<number>
  /** One for each feature of a claim, and the intercept. */
  readonly claim: ReadonlyArray<number>
  /** The probability from which a question counts as answered, unless a host sets another. */
  readonly threshold: number
}

export const COEFFICIENTS: Coefficients = {
  units: [5.32, 5.47, 2.50, 3.70, 4.18],
  claim: [-3.29, 2.36, 3.13, -2.17, 1.97, -2.75],
  threshold: 0.75
}
