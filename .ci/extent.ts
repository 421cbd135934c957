// Named here, because some that import this have no types of Node.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

/** How much of a long test runs. */
const isWhole = process.env["TRIBUTARY_TESTS"] === "faults"

/** The first in `npm test`, the second in `npm run test:faults`. */
export const extent = <A, B = A>(representative: A, whole: B): A | B => isWhole ? whole : representative
