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
  units: [5.804, 4.109, -0.045, 3.651, 4.570, 2.987, 0.942, 0.436, 1.184, -2.039, -0.645, 2.363],
  claim: [1.565, -3.151, -0.761, 3.822, -2.304, 0.930, 1.508, -3.568],
  threshold: 0.65
}
