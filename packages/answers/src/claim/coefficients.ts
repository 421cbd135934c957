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
  claim: [-1.54, 2.63, 2.55, -3.00, -0.41],
  threshold: 0.74
}
