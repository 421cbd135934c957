/** Ours and MiniSearch behind one interface: build an index of texts, then search it. */
import {
  cutChunks,
  Mask,
  openSegment,
  parseQuery,
  rerank,
  searchView,
  SegmentBuilder,
  type ViewPart
} from "@tributary/retrieval"
import MiniSearch from "minisearch"
import type { Text } from "./collections.ts"

/** Finds the ids of the best ten documents, best first. */
export type Search = (query: string) => ReadonlyArray<string>

export interface Engine {
  readonly name: string
  readonly build: (documents: ReadonlyArray<Text>) => Search
}

const LIMIT = 10

/** As many as the service reads and ranks again. */
const RANKED = 50

const uuidOf = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

const viewOf = (
  documents: ReadonlyArray<Text>,
  chunks: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<ViewPart> => {
  const builder = new SegmentBuilder()
  for (const [number, { id, title }] of documents.entries()) {
    builder.add({ id: uuidOf(number), version: 1, title, chunks: chunks.get(id)!, tags: [], from: 0, to: 0 })
  }
  const segment = openSegment(builder.build())
  return [{ segment, mask: new Mask(segment) }]
}

const ours: Engine = {
  name: "ours",
  build: (documents) => {
    const chunks = new Map(documents.map(({ id, text }) => [id, cutChunks(text)]))
    const parts = viewOf(documents, chunks)
    return (text) => {
      const query = parseQuery(text)
      const hits = searchView(parts, query, { limit: RANKED, groupBy: "document" })
      const read = hits.map((hit) => {
        const document = documents[Number.parseInt(hit.documentId.slice(-12), 16)]!
        return { hit, id: document.id, title: document.title, text: chunks.get(document.id)![hit.ordinal] ?? "" }
      })
      return rerank(parts, query, read).slice(0, LIMIT).map(({ id }) => id)
    }
  }
}

const miniSearch: Engine = {
  name: "MiniSearch",
  build: (documents) => {
    const index = new MiniSearch<Text>({ fields: ["title", "text"] })
    index.addAll(documents)
    return (text) => index.search(text).slice(0, LIMIT).map(({ id }) => String(id))
  }
}

export const ENGINES: ReadonlyArray<Engine> = [ours, miniSearch]
