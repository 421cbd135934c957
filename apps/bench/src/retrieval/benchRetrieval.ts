/** How good the answers of the search engine are, and what they cost, beside MiniSearch in the same run. */
import { median, print, printLoad, printTable } from "../print.ts"
import { randomFrom, randomText, randomWord } from "../texts.ts"
import { collectionsIn, ndcg } from "./collections.ts"
import { ENGINES } from "./engines.ts"

const SETTING = "TRIBUTARY_BENCH_DATA"

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const printQuality = (folder: string): void => {
  const rows = collectionsIn(folder).map(({ documents, judgments, name, queries }) => {
    const judged = queries.filter(({ id }) => judgments.has(id))
    const scores = ENGINES.map(({ build }) => {
      const search = build(documents)
      return mean(judged.map(({ id, text }) => ndcg(search(text), judgments.get(id)!))).toFixed(3)
    })
    return [name, String(documents.length), String(judged.length), ...scores]
  })
  printTable(["nDCG@10", "documents", "questions", ...ENGINES.map(({ name }) => name)], rows)
}

const CHUNKS = 5_000
const QUERIES = 100
const ROUNDS = 3

/** Microseconds of processor time that `work` takes. */
const cpuOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return user + system
}

const printCost = (): void => {
  const random = randomFrom(5)
  const documents = Array.from({ length: CHUNKS }, (_, number) => ({
    id: String(number),
    title: "",
    text: randomText(random, 80)
  }))
  const queries = Array.from({ length: QUERIES }, () => [1, 2, 3].map(() => randomWord(random)).join(" "))
  const figures = ENGINES.map(() => ({ build: new Array<number>(), search: new Array<number>() }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { build }] of ENGINES.entries()) {
      let search = build([])
      figures[index]!.build.push(cpuOf(() => {
        search = build(documents)
      }))
      figures[index]!.search.push(cpuOf(() => queries.forEach(search)) / QUERIES)
    }
  }
  printTable(
    [`${CHUNKS} chunks of 80 words`, "CPU per search, µs", "chunks indexed per second of CPU"],
    ENGINES.map(({ name }, index) => {
      const { build, search } = figures[index]!
      return [name, median(search).toFixed(0), (CHUNKS / (median(build) / 1e6)).toFixed(0)]
    })
  )
}

export const benchRetrieval = async (): Promise<void> => {
  printLoad()
  const folder = process.env[SETTING]
  if (folder === undefined) print(`SKIPPED: nDCG@10, because ${SETTING} names no folder of test collections`)
  else printQuality(folder)
  print("")
  printCost()
  printLoad()
}
