import { describe } from "vitest"
import { programPath } from "./programs.ts"

/** A suite that needs these programs: without them it says so loudly, and where they are required, it fails. */
export const describeWith = (programs: ReadonlyArray<string>, name: string, suite: () => void): void => {
  const missing = programs.filter((program) => programPath(program) === null)
  if (missing.length === 0) return void describe(name, suite)
  const words = `${name}: needs ${missing.join(", ")}`
  if (process.env["TRIBUTARY_REQUIRE_TOOLS"] === "1") throw new Error(words)
  process.stderr.write(`\n!!! SKIPPED ${words}\n`)
  describe.skip(name, suite)
}
