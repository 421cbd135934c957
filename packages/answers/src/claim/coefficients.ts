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
  units: [5.80, 4.11, 3.65, 4.57, 2.99, 0.94, 0.44, 1.18, -2.04, -0.65, 2.36],
  claim: [1.56, -3.15, -0.76, 3.82, -2.30, 0.93, 1.51, -3.57],
  threshold: 0.65
}
