import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./closing-line.ts"
import { extent } from "./extent.ts"
import { LongestFirst } from "./longest-first.ts"

const filesOf = (...folders: ReadonlyArray<string>) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`)

/** They start the server, so they share what they load: nothing that one file of them does is seen by the next. */
const SERVED = filesOf("apps/console", "apps/server")

/** They are about what a process has once: threads, what it trusts, the files that it holds, its newest id, its kinds. */
const ALONE = [
  ...filesOf("packages/postgres", "packages/sources", "packages/tributary", "docs/examples"),
  "packages/core/test/**/{ids,payloads}.test.ts"
]

/** Those that ask for their extent: `npm test` runs a representative of each, and `npm run test:faults` these alone. */
const LONG = {
  served: [
    ...filesOf("apps/server/test/faults"),
    "apps/server/test/connectSources.test.ts",
    "apps/console/test/{documents,scroll}.test.ts"
  ],
  alone: [
    "packages/tributary/test/{docs,hugeTexts}.test.ts",
    "packages/postgres/test/{nodePostgres,plans,rowSecurity,versions}.test.ts"
  ],
  together: [
    "packages/answers/test/model/modelFailures.test.ts",
    "packages/http/test/**/{eventLoop,hostile,largeJson,mcp-http}.test.ts",
    "packages/node/test/IndexThreads.test.ts",
    "packages/retrieval/test/hostile.test.ts",
    "packages/sqlite/test/{kills,powerCuts}.test.ts"
  ]
}

const include = extent({ served: SERVED, alone: ALONE, together: filesOf("packages/*") }, LONG)

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Processes, because tests start worker threads and servers of their own.
    pool: "forks",
    // More than there are processors: those that start servers wait for them much of the time.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Only what hangs takes as long: a shared two-core machine may stall a test for many seconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["default", new ClosingLine()],
    projects: [
      {
        extends: true,
        test: { name: "served", include: include.served, globalSetup: ".ci/bundled-server.ts", isolate: false }
      },
      { extends: true, test: { name: "alone", include: include.alone } },
      // The others share what they load, too.
      {
        extends: true,
        test: {
          name: "together",
          include: include.together,
          exclude: [...ALONE, "**/node_modules/**"],
          isolate: false
        }
      }
    ]
  }
})
