/** How far the tests of faults go: `TRIBUTARY_TEST_FAULTS=all` runs every one of them. */

export const runsAll = process.env["TRIBUTARY_TEST_FAULTS"] === "all"

const line = "A PART OF THE TESTS OF FAULTS IS SKIPPED: TRIBUTARY_TEST_FAULTS=all runs them all, in some minutes."

/** Loud, once for each file that leaves something out. */
export const sayWhatIsSkipped = (): void => {
  if (!runsAll) process.stderr.write(`\n${line}\n`)
}

/** For one test: far more than it takes, since a busy machine may stall it for long. */
export const TIMEOUT = runsAll ? 600_000 : 120_000
