import type { SerializedError } from "vitest"
import type { Reporter, TestModule } from "vitest/node"
import { takeMissing } from "./missing.ts"

/** Ends a run with a line per missing program, and one for scripts: `Tests: 12 passed, 0 failed`. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const failedBefore = count.failed
      for (const test of module.children.allTests()) count[test.result().state] += 1
      // A file that cannot be loaded, or a failing hook, has no failed test.
      if (module.state() === "failed" && count.failed === failedBefore) count.failed += 1
    }
    const skipped = count.skipped + count.pending
    const tail = skipped === 0 ? "" : `, ${skipped} skipped`
    for (const { program, remedy } of takeMissing()) process.stdout.write(`\nSkipped for want of ${program}: ${remedy}`)
    process.stdout.write(`\nTests: ${count.passed} passed, ${count.failed} failed${tail}\n`)
  }
}
