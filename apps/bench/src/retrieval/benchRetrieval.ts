/** The quality of searches, and their cost as the collection grows, compared with other engines in the same run. */
import { writeFileSync } from "node:fs"
import { print, printLoad } from "../print.ts"
import { measureGrowth } from "./growth.ts"
import { methods } from "./methods.ts"
import { peers } from "./peers.ts"
import { plot } from "./plot.ts"
import { printQuality } from "./quality.ts"

const COLLECTIONS = "TRIBUTARY_BENCH_DATA"
const POSTGRES = "TRIBUTARY_BENCH_POSTGRES"
const SIZES = "TRIBUTARY_BENCH_CHUNKS"
const PLOT = "TRIBUTARY_BENCH_PLOT"
const RANKING = "TRIBUTARY_BENCH_RANKING"

const sizes = (process.env[SIZES] ?? "10000,100000").split(",").map(Number)

export const benchRetrieval = async (): Promise<void> => {
  printLoad()
  const { [COLLECTIONS]: folder, [PLOT]: file, [POSTGRES]: url } = process.env
  const others = peers(url)
  if (url === undefined) print(`SKIPPED: Postgres ts_rank, because ${POSTGRES} names no database`)
  if (folder === undefined) {
    print(`SKIPPED: nDCG@10 and Recall@100, because ${COLLECTIONS} names no folder of collections`)
  } else await printQuality(folder, await methods(process.env[RANKING]), others)
  print("")
  const growths = await measureGrowth(sizes, others)
  if (file !== undefined) writeFileSync(file, plot(growths))
  printLoad()
}
