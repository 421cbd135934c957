/** Ranking methods of our engine: lexical, by vectors, and hybrid, with the host's own parts if given. */
import type { EmbeddingModel } from "@tributary/core/ports/Embedder"
import { RANKING, type RankingMethod } from "@tributary/core/Tributary"
import { cutChunks, type Hit } from "@tributary/retrieval"
import { Effect } from "effect"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Text } from "./collections.ts"
import { Asked, buildSegments, type Chunks, numberOf, partOf, uuidOf } from "./ours.ts"
import type { Index } from "./peers.ts"
import { TRIGRAMS } from "./trigrams.ts"

export interface Method {
  readonly name: string
  readonly ranking: RankingMethod
  readonly by: "words" | "vectors" | "both"
  readonly embedder: EmbeddingModel
}

/** The parts that a host replaces, as options of `open`. */
interface Replacement {
  readonly ranking?: Partial<RankingMethod>
  readonly embedder?: EmbeddingModel
}

const methodsOf = (name: string, { embedder = TRIGRAMS, ranking }: Replacement): ReadonlyArray<Method> =>
  (["words", "vectors", "both"] as const).map((by) => ({
    name: by === "words" ? name : `${name}, ${by}`,
    ranking: { ...RANKING, ...ranking },
    by,
    embedder
  }))

/** Our method, and those of a module whose default export replaces parts. */
export const methods = async (module: string | undefined): Promise<ReadonlyArray<Method>> => {
  if (module === undefined) return methodsOf("ours", {})
  const replacement: { readonly default: Replacement } = await import(pathToFileURL(resolve(module)).href)
  return [...methodsOf("ours", {}), ...methodsOf("replaced", replacement.default)]
}

/** The number of nearest vectors that the service fuses. */
const DEPTH = 100

interface Row {
  readonly hit: Hit
  readonly vector: Float32Array
}

const unit = (vector: ArrayLike<number>): Float32Array => {
  const length = Math.hypot(...Array.from(vector))
  return Float32Array.from(vector, (value) => value / length)
}

const product = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!
  return sum
}

const rowsOf = async (cut: ReadonlyArray<Chunks>, { batch, embed }: EmbeddingModel): Promise<ReadonlyArray<Row>> => {
  const chunks = cut.flatMap(({ chunks, title }, number) =>
    chunks.map((text, ordinal) => ({ number, ordinal, text: title === "" ? text : `${title}\n\n${text}` }))
  )
  const rows: Array<Row> = []
  for (let first = 0; first < chunks.length; first += batch) {
    const some = chunks.slice(first, first + batch)
    const vectors = await Effect.runPromise(embed(some.map(({ text }) => text), "document"))
    for (const [at, { number, ordinal }] of some.entries()) {
      const place = { part: 0, chunk: first + at, documentId: uuidOf(number), version: number, ordinal }
      rows.push({ hit: { ...place, score: 0, identifier: false, from: 0, to: 0 }, vector: unit(vectors[at]!) })
    }
  }
  return rows
}

/** One chunk of each document. */
const nearest = (rows: ReadonlyArray<Row>, query: Float32Array): ReadonlyArray<Hit> => {
  const best = new Map<string, Hit>()
  for (const { hit, vector } of rows) {
    const score = product(vector, query)
    if (score > (best.get(hit.documentId)?.score ?? -Infinity)) best.set(hit.documentId, { ...hit, score })
  }
  return [...best.values()].sort((one, other) => other.score - one.score).slice(0, DEPTH)
}

/** An index for each method, over the same segments. */
export const indexesOver = (documents: ReadonlyArray<Text>): (method: Method) => Promise<Index> => {
  const cut = documents.map(({ text, title }) => ({ title, chunks: cutChunks(text) }))
  const documentAt = (number: number) => cut[number] ?? { title: "", chunks: [] }
  const total = cut.reduce((sum, { chunks }) => sum + chunks.length, 0)
  const parts = buildSegments(total, documentAt).segments.map(partOf)
  const embedded = new Map<EmbeddingModel, ReadonlyArray<Row>>()
  const rowsBy = async (embedder: EmbeddingModel): Promise<ReadonlyArray<Row>> => {
    const rows = embedded.get(embedder) ?? await rowsOf(cut, embedder)
    embedded.set(embedder, rows)
    return rows
  }

  return async ({ by, embedder, ranking }) => {
    const rows = by === "words" ? [] : await rowsBy(embedder)
    const hits = async (text: string, limit: number): Promise<ReadonlyArray<Hit>> => {
      const [vector] = by === "words" ? [] : await Effect.runPromise(embedder.embed([text], "query"))
      const semantic = vector === undefined ? [] : nearest(rows, unit(vector))
      if (by === "vectors") return semantic
      const asked = new Asked(parts, text, ranking)
      asked.find(limit, by === "both")
      asked.read(documentAt)
      const found = asked.rescore()
      return by === "words" ? found.lexical : ranking.fuse({ ...found, semantic, groupBy: "document" })
    }
    return {
      search: async (text, limit) =>
        (await hits(text, limit)).slice(0, limit).map(({ documentId }) => documents[numberOf(documentId)]!.id)
    }
  }
}
