/** Search quality over collections with relevance judgments by people. */
import { printTable } from "../print.ts"
import { type Collection, collectionsIn, ndcg, recall } from "./collections.ts"
import { mean } from "../statistics.ts"
import { indexesOver, type Method } from "./methods.ts"
import type { Index, Peer } from "./peers.ts"

const DEPTH = 100

const qualityOf = async ({ judgments, queries }: Collection, { close, search }: Index): Promise<string> => {
  const withJudgments = queries.filter(({ id }) => judgments.has(id))
  const figures: Array<readonly [gain: number, recall: number]> = []
  for (const { id, text } of withJudgments) {
    const found = await search(text, DEPTH)
    figures.push([ndcg(found, judgments.get(id)!), recall(found, judgments.get(id)!)])
  }
  await close?.()
  return [mean(figures.map(([gain]) => gain)), mean(figures.map(([, share]) => share))]
    .map((figure) => figure.toFixed(3)).join(" / ")
}

export const printQuality = async (
  folder: string,
  methods: ReadonlyArray<Method>,
  peers: ReadonlyArray<Peer>
): Promise<void> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const collection of collectionsIn(folder)) {
    const { documents, name } = collection
    const cells = [name, String(documents.length)]
    const ours = indexesOver(documents)
    for (const method of methods) cells.push(await qualityOf(collection, await ours(method)))
    for (const peer of peers) cells.push(await qualityOf(collection, await peer.build(documents)))
    rows.push(cells)
  }
  printTable(["nDCG@10 / Recall@100", "documents", ...[...methods, ...peers].map(({ name }) => name)], rows)
}
