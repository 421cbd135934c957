import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./closing-line.ts"
import { LongestFirst } from "./longest-first.ts"

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["{packages,apps}/*/test/**/*.test.{ts,tsx}", "docs/examples/**/*.test.ts"],
    // Processes, because tests start worker threads and servers of their own.
    pool: "forks",
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // A shared two-core machine may stall a test for seconds without anything being wrong.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ["default", new ClosingLine()]
  }
})
