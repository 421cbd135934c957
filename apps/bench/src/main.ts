/**
 * The benchmarks: `npm run bench -- NAME`, where NAME is `http`, `telemetry`, `mcp`, `retrieval`, `ask`, `reader`,
 * `storage`, `sources`, `growth` or `health`. Without a name, all of them run one after the other. `storage/start` runs
 * one part of `storage`. `growth/workspaces` takes long and runs only by name. `fit` fits the coefficients of the
 * answerer.
 */
import { benchAsk } from "./ask/benchAsk.ts"
import { benchReader } from "./ask/benchReader.ts"
import { fitClaims } from "./ask/fitClaims.ts"
import { benchGrowth } from "./growth/benchGrowth.ts"
import { benchWorkspaces } from "./growth/benchWorkspaces.ts"
import { benchHealth } from "./health/benchHealth.ts"
import { benchHttp } from "./http/benchHttp.ts"
import { benchMcp } from "./http/benchMcp.ts"
import { print } from "./print.ts"
import { benchTelemetry } from "./http/benchTelemetry.ts"
import { benchRetrieval } from "./retrieval/benchRetrieval.ts"
import { benchSources } from "./sources/benchSources.ts"
import { benchStorage, STORAGE_PARTS } from "./storage/benchStorage.ts"

const BENCHES: ReadonlyMap<string, () => Promise<void>> = new Map([
  ["http", benchHttp],
  ["mcp", benchMcp],
  ["telemetry", benchTelemetry],
  ["retrieval", benchRetrieval],
  ["ask", benchAsk],
  ["reader", benchReader],
  ["storage", () => benchStorage(STORAGE_PARTS)],
  ["sources", benchSources],
  ["growth", benchGrowth],
  ["health", benchHealth]
])

const parts = new Map(STORAGE_PARTS.map((part) => [`storage/${part}`, () => benchStorage([part])]))

const SCRIPTS = new Map([
  ...parts,
  ["growth/workspaces", benchWorkspaces] as const,
  ["fit", fitClaims] as const
])

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !BENCHES.has(name) && !SCRIPTS.has(name))

if (unknown === undefined) {
  const all = asked.length === 0 ? BENCHES : new Map([...BENCHES, ...SCRIPTS])
  for (const [name, bench] of all) if (asked.length === 0 || asked.includes(name)) await bench()
} else {
  print(`There is no bench "${unknown}"; there are: ${[...BENCHES.keys(), ...SCRIPTS.keys()].join(", ")}`)
  process.exitCode = 2
}
