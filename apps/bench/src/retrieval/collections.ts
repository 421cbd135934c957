/** Test collections: documents, questions, and which documents people found to answer them. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

export interface Text {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Collection {
  readonly name: string
  readonly documents: ReadonlyArray<Text>
  readonly queries: ReadonlyArray<Text>
  /** By question, how well each document answers it. */
  readonly judgments: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const FILES = ["corpus.jsonl.gz", "queries.jsonl", "qrels.tsv"] as const

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line.trim() !== "")

/** Of texts with one id the last one counts, as in the service. */
const textsOf = (jsonLines: string): ReadonlyArray<Text> => {
  const texts = new Map(
    linesOf(jsonLines).map((line) => {
      const { id = "", text = "", title = "" } = JSON.parse(line) as Partial<Text>
      return [id, { id, title, text }] as const
    })
  )
  return [...texts.values()]
}

const judgmentsOf = (table: string): Collection["judgments"] => {
  const judgments = new Map<string, Map<string, number>>()
  // The first line is the head of the table.
  for (const line of linesOf(table).slice(1)) {
    const [query = "", document = "", score = "0"] = line.split("\t")
    const known = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, known.set(document, Number(score)))
  }
  return judgments
}

/** The collections in a folder, each a folder with its three files. */
export const collectionsIn = (folder: string): ReadonlyArray<Collection> =>
  readdirSync(folder).sort()
    .filter((name) => FILES.every((file) => existsSync(join(folder, name, file))))
    .map((name) => {
      const [corpus, queries, judged] = FILES.map((file) => readFileSync(join(folder, name, file)))
      return {
        name,
        documents: textsOf(gunzipSync(corpus!).toString()),
        queries: textsOf(queries!.toString()),
        judgments: judgmentsOf(judged!.toString())
      }
    })

const DEPTH = 10

const gain = (scores: ReadonlyArray<number>): number =>
  scores.slice(0, DEPTH).reduce((sum, score, rank) => sum + (2 ** score - 1) / Math.log2(rank + 2), 0)

/** nDCG@10: 1 when the best ten documents come first in the best order, 0 when none of them does. */
export const ndcg = (found: ReadonlyArray<string>, judged: ReadonlyMap<string, number>): number => {
  const best = gain([...judged.values()].sort((left, right) => right - left))
  return best === 0 ? 0 : gain(found.map((id) => judged.get(id) ?? 0)) / best
}

/** Recall@100: which share of what answers the question is among the first hundred found. */
export const recall = (found: ReadonlyArray<string>, judged: ReadonlyMap<string, number>): number => {
  const wanted = [...judged].flatMap(([id, score]) => score > 0 ? [id] : [])
  const among = new Set(found.slice(0, 100))
  return wanted.length === 0 ? 0 : wanted.filter((id) => among.has(id)).length / wanted.length
}
