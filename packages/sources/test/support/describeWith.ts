import { describe } from "vitest"
import { missing } from "../../../../.ci/missing.ts"
import { programPath } from "./programs.ts"

/** A suite that needs these programs: without them the end of the run says so, and where they are required, it fails. */
export const describeWith = (programs: ReadonlyArray<string>, name: string, suite: () => void): void => {
  const absent = programs.filter((program) => programPath(program) === null)
  if (absent.length === 0) return void describe(name, suite)
  for (const program of absent) missing("TOOLS", program)
  describe.skip(name, suite)
}
