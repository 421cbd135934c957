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
  units: [5.40, 8.60, 4.60, 4.18, 4.06, 1.77],
  claim: [-2.64, 3.96, 0.94, -1.98],
  threshold: 0.71
}
