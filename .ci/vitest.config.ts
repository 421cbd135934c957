import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { ClosingLine } from "./closing-line.ts"
import { extent } from "./extent.ts"
import { LongestFirst } from "./longest-first.ts"
import { keepInMemory } from "./temporary.ts"

// The long tests may need more room.
if (extent(true, false)) keepInMemory()

// Workers and programs that tests start compile each module once for all of them.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url))

const filesOf = (...folders: ReadonlyArray<string>) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`)

/** The console in a browser, as far as `npm test` shows it; `npm run test:console` runs the other files. */
const SHOWN = "apps/console/test/{address,build,console,draft}.test.ts"

/** Tests that start servers share loaded modules, because they leave no state behind. */
const SERVED = [SHOWN, ...filesOf("apps/server")]

/** Tests of process-wide state: threads, trusted certificates, the newest id. */
const ALONE = [
  "packages/core/test/**/{ids,payloads}.test.ts",
  "packages/sources/test/{feed,readerThread,tls}.test.ts"
]

/** Tests with an `extent`: `npm test` runs a representative of each, and `npm run test:faults` only these. */
const LONG = {
  served: [
    ...filesOf("apps/server/test/faults"),
    "apps/server/test/{backup,connectSources,managedPostgres,mcp,memory,transfer}.test.ts",
    "apps/console/test/{documents,pages,scroll}.test.ts"
  ],
  alone: [],
  together: [
    "packages/answers/test/model/modelFailures.test.ts",
    "packages/core/test/ask/citations.test.ts",
    "packages/core/test/**/*istories.test.ts",
    "packages/extract/test/{compound,hostile,htmlMarks}.test.ts",
    "packages/http/test/**/{eventLoop,hostile,keyHistories,largeJson,mcp-http,mount,refusedBodies}.test.ts",
    "packages/node/test/IndexThreads.test.ts",
    "packages/postgres/test/{nodePostgres,plans,pooler,rowSecurity,versions}.test.ts",
    "packages/retrieval/test/hostile.test.ts",
    "packages/retrieval/test/search/{exactHits,relevanceFeedback,searchPiece,snippet}.test.ts",
    "packages/retrieval/test/text/{cutChunks,positions,sentences}.test.ts",
    "packages/sources/test/feed/readFeed.test.ts",
    "packages/sources/test/{imapChanges,kit}.test.ts",
    "packages/sqlite/test/{kills,powerCuts,shortReads,transferHistories}.test.ts",
    "packages/tributary/test/{docs,hugeTexts,runtimes,supportedNode}.test.ts"
  ]
}

/**
 * Only `npm run test:faults` runs any of these: a server rests only after much work, a soak has no short version, other
 * runtimes are large downloads, and what the rest tries, `npm test` tries in another way: kills of a server at any of its
 * writes, an outage of the database, MCP with the clients of its SDKs, leases by a test clock, syncs and webhooks by random
 * histories whose calls fail, and the limits of managed databases with the adapter alone.
 */
const ONLY_LONG = [
  "apps/server/test/faults/{failover,inspector,killed.embedded,paused,pulled,pulledByNodes,pulledKilled}.test.ts",
  "apps/server/test/faults/{restingMemory,smallMachine,soak,starting,traces,webhooks}.test.ts",
  "apps/server/test/{managedPostgres,memory}.test.ts",
  "packages/tributary/test/runtimes.test.ts"
]

const CONSOLE = { served: filesOf("apps/console"), alone: [], together: [] }

const isConsole = process.env["TRIBUTARY_TESTS"] === "console"

const TOGETHER = filesOf("packages/*", "docs/examples")

const include = isConsole ? CONSOLE : extent({ served: SERVED, alone: ALONE, together: TOGETHER }, LONG)

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Processes, because tests start worker threads and servers of their own.
    pool: "forks",
    // More than the processors, because tests mostly wait for servers.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Only a hanging test takes this long; a shared two-core machine may stall a test for many seconds.
    testTimeout: extent(180_000, 900_000),
    hookTimeout: 180_000,
    reporters: ["default", new ClosingLine()],
    projects: [
      {
        extends: true,
        test: {
          name: "served",
          include: include.served,
          exclude: [...isConsole ? [SHOWN] : extent(ONLY_LONG, []), "**/node_modules/**"],
          globalSetup: ".ci/bundled-server.ts",
          isolate: false
        }
      },
      { extends: true, test: { name: "alone", include: include.alone } },
      // The other tests share loaded modules, too.
      {
        extends: true,
        test: {
          name: "together",
          include: include.together,
          exclude: [...ALONE, ...extent(ONLY_LONG, []), "**/node_modules/**"],
          isolate: false
        }
      }
    ]
  }
})
