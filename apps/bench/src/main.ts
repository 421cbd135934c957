/** `npm run bench -- http`, and so `retrieval` and `storage`; without a name all, one after the other. */
import { benchHttp } from "./http/benchHttp.ts"
import { print } from "./print.ts"
import { benchRetrieval } from "./retrieval/benchRetrieval.ts"
import { benchStorage } from "./storage/benchStorage.ts"

const BENCHES: ReadonlyMap<string, () => Promise<void>> = new Map([
  ["http", benchHttp],
  ["retrieval", benchRetrieval],
  ["storage", benchStorage]
])

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !BENCHES.has(name))

if (unknown === undefined) {
  for (const [name, bench] of BENCHES) if (asked.length === 0 || asked.includes(name)) await bench()
} else {
  print(`There is no bench "${unknown}"; there are: ${[...BENCHES.keys()].join(", ")}`)
  process.exitCode = 2
}
