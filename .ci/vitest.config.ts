import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./closing-line.ts"
import { LongestFirst } from "./longest-first.ts"

const filesOf = (...folders: ReadonlyArray<string>) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`)

/** They start the server. */
const SERVED = filesOf("apps/console", "apps/server")

/** They are about what a process has once: threads, what it trusts, the files that it holds, its newest id, its kinds. */
const ALONE = [
  ...filesOf("packages/postgres", "packages/sources", "packages/tributary", "docs/examples"),
  "packages/core/test/{ids,payloads}.test.ts"
]

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Processes, because tests start worker threads and servers of their own.
    pool: "forks",
    // More than there are processors: those that start servers wait for them much of the time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Only what hangs takes as long: a shared two-core machine may stall a test for many seconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["default", new ClosingLine()],
    projects: [
      { extends: true, test: { name: "served", include: SERVED, globalSetup: ".ci/bundled-server.ts" } },
      { extends: true, test: { name: "alone", include: ALONE } },
      // The others share what they load: nothing that one file of them does is seen by the next.
      {
        extends: true,
        test: {
          name: "together",
          include: filesOf("packages/*"),
          exclude: [...ALONE, "**/node_modules/**"],
          isolate: false
        }
      }
    ]
  }
})
