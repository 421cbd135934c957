import { relative } from "node:path"
import type { SerializedError } from "vitest"
import type { Reporter, TestModule, Vitest } from "vitest/node"
import { keepFailure } from "./failures.ts"
import { takeMissing } from "./missing.ts"

const firstLine = (text: string | undefined): string => (text ?? "").split("\n", 1)[0]!

/** `file > group > test`; a file that cannot be loaded, or a failing hook, has its error in place of a test. */
const failuresOf = (module: TestModule): ReadonlyArray<string> => {
  const file = module.relativeModuleId
  const tests = [...module.children.allTests("failed")].map(({ fullName }) => `${file} > ${fullName}`)
  const groups = [module, ...module.children.allSuites()]
  const errors = groups.flatMap((group) => group.errors()).map(({ message }) => `${file} > ${firstLine(message)}`)
  return [...tests, ...errors]
}

/**
 * Ends a run with a line per failed test, one per missing program, and one for scripts: `Tests: 12 passed, 0 failed`.
 */
export class ClosingLine implements Reporter {
  #root = ""

  onInit({ config }: Vitest): void {
    this.#root = config.root
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state] += 1
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map(({ VITEST_TEST_PATH: path, message }) =>
        `${typeof path === "string" ? relative(this.#root, path) : "no file"} > outside of tests: ${firstLine(message)}`
      )
    ]
    const skipped = count.skipped + count.pending
    const tail = skipped === 0 ? "" : `, ${skipped} skipped`
    for (const failure of failures) {
      keepFailure(failure)
      process.stdout.write(`\nFailed: ${failure}`)
    }
    for (const { program, remedy } of takeMissing()) process.stdout.write(`\nSkipped for want of ${program}: ${remedy}`)
    process.stdout.write(`\nTests: ${count.passed} passed, ${failures.length} failed${tail}\n`)
  }
}
