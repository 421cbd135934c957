// Declared here, because some importers have no types of Node.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

/** The part of a long test that runs. */
const isWhole = process.env["TRIBUTARY_TESTS"] === "faults"

/** The first in `npm test`, the second in `npm run test:faults`. */
export const extent = <A, B = A>(representative: A, whole: B): A | B => isWhole ? whole : representative
