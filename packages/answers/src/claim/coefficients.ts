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
  units: [5.30, 5.41, 2.66, 4.56, 4.86],
  claim: [-3.64, 2.32, 3.01, -3.17],
  threshold: 0.8
}
