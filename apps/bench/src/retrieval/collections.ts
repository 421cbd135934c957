/** Test collections: documents, questions, and the relevance judgments of people. */
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
  /** By question, the relevance of each document. */
  readonly judgments: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const FILES = ["corpus.jsonl.gz", "queries.jsonl", "qrels.tsv"] as const

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line.trim() !== "")

/** The last of several texts with one id counts, as in the service. */
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
  // The first line is the header.
  for (const line of linesOf(table).slice(1)) {
    const [query = "", document = "", score = "0"] = line.split("\t")
    const known = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, known.set(document, Number(score)))
  }
  return judgments
}

/** The collections in a folder: one subfolder each, with three files. */
export const collectionsIn = (folder: string): ReadonlyArray<Collection> =>
  readdirSync(folder).sort()
    .filter((name) => FILES.every((file) => existsSync(join(folder, name, file))))
    .map((name) => {
      const [corpus, queries, relevance] = FILES.map((file) => readFileSync(join(folder, name, file)))
      return {
        name,
        documents: textsOf(gunzipSync(corpus!).toString()),
        queries: textsOf(queries!.toString()),
        judgments: judgmentsOf(relevance!.toString())
      }
    })

const DEPTH = 10

const gain = (scores: ReadonlyArray<number>): number =>
  scores.slice(0, DEPTH).reduce((sum, score, rank) => sum + (2 ** score - 1) / Math.log2(rank + 2), 0)

/** nDCG@10: 1 if the ten most relevant documents come first in the best order, 0 if none of them is found. */
export const ndcg = (found: ReadonlyArray<string>, judgments: ReadonlyMap<string, number>): number => {
  const best = gain([...judgments.values()].sort((left, right) => right - left))
  return best === 0 ? 0 : gain(found.map((id) => judgments.get(id) ?? 0)) / best
}

/** Recall@100: the share of relevant documents that are among the first hundred hits. */
export const recall = (found: ReadonlyArray<string>, judgments: ReadonlyMap<string, number>): number => {
  const wanted = [...judgments].flatMap(([id, score]) => score > 0 ? [id] : [])
  const among = new Set(found.slice(0, 100))
  return wanted.length === 0 ? 0 : wanted.filter((id) => among.has(id)).length / wanted.length
}
