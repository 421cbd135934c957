/** Fitted by `npm run bench -- fit`; not to be edited by hand. */
export const COEFFICIENTS = {
  /** One for each feature of a unit. */
  units: [4.5, 2.5, -1, 2.5, 4, 2, 1, 1, 0.6, -1.5, -0.4, 2],
  /** One for each feature of a claim, and the intercept. */
  claim: [4, 1, 2, -1, -4, 0, 0.5, -3]
} as const
