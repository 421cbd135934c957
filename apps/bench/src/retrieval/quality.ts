/** How good the answers are, over collections of questions that people judged. */
import { cutChunks } from "@tributary/retrieval"
import { printTable } from "../print.ts"
import { type Collection, collectionsIn, ndcg, recall, type Text } from "./collections.ts"
import { mean } from "./cpu.ts"
import { buildSegments, numberOf, partOf, searchParts } from "./ours.ts"
import type { Index, Peer } from "./peers.ts"

const DEPTH = 100

const oursOver = (documents: ReadonlyArray<Text>): Index => {
  const cut = documents.map(({ text, title }) => ({ title, chunks: cutChunks(text) }))
  const documentAt = (number: number) => cut[number] ?? { title: "", chunks: [] }
  const total = cut.reduce((sum, { chunks }) => sum + chunks.length, 0)
  const parts = buildSegments(total, documentAt).segments.map(partOf)
  return {
    search: (text, limit) => searchParts(parts, text, limit, documentAt).map((id) => documents[numberOf(id)]!.id)
  }
}

const qualityOf = async ({ judgments, queries }: Collection, { close, search }: Index): Promise<string> => {
  const judged = queries.filter(({ id }) => judgments.has(id))
  const figures: Array<readonly [gain: number, recall: number]> = []
  for (const { id, text } of judged) {
    const found = await search(text, DEPTH)
    figures.push([ndcg(found, judgments.get(id)!), recall(found, judgments.get(id)!)])
  }
  await close?.()
  return [mean(figures.map(([gain]) => gain)), mean(figures.map(([, share]) => share))]
    .map((figure) => figure.toFixed(3)).join(" / ")
}

export const printQuality = async (folder: string, peers: ReadonlyArray<Peer>): Promise<void> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const collection of collectionsIn(folder)) {
    const { documents, name } = collection
    const cells = [name, String(documents.length), await qualityOf(collection, oursOver(documents))]
    for (const peer of peers) cells.push(await qualityOf(collection, await peer.build(documents)))
    rows.push(cells)
  }
  printTable(["nDCG@10 / Recall@100", "documents", "ours", ...peers.map(({ name }) => name)], rows)
}
