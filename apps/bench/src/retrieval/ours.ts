/** Our engine as the service uses it: the best fifty of a view, rescored by the proximity of their words. */
import { RANKING, type RankingMethod } from "@tributary/core/Tributary"
import {
  type Hit,
  hitsToRead,
  Mask,
  MAX_SEGMENT_CHUNKS,
  openSegment,
  parseQuery,
  type PieceHits,
  type Query,
  rescoreWindowFor,
  type Scoring,
  scoringFor,
  searchPiece,
  SegmentBuilder,
  statisticsOf,
  sumOf,
  type ViewPart
} from "@tributary/retrieval"
import { cpuOf } from "./cpu.ts"

type Rankings = Parameters<RankingMethod["fuse"]>[0]

export interface Chunks {
  readonly title: string
  readonly chunks: ReadonlyArray<string>
}

/** Not in the order of time, like the ids of documents from many sources. */
export const uuidOf = (number: number): string =>
  `${(Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}-0000-7000-8000-${
    number.toString(16).padStart(12, "0")
  }`

export const numberOf = (id: string): number => Number.parseInt(id.slice(-12), 16)

/** The number of documents per day. */
const timeOf = (number: number): number => 1.7e12 + number * 864_003

export const indexDocument = (number: number, document: Chunks, version = number) => ({
  ...document,
  id: uuidOf(number),
  version,
  tags: ["kind:document", `source:${number % 5}`],
  from: timeOf(number),
  to: timeOf(number)
})

export const partOf = (bytes: Uint8Array): ViewPart => {
  const segment = openSegment(bytes)
  return { segment, mask: new Mask(segment) }
}

export interface Built {
  readonly segments: ReadonlyArray<Uint8Array>
  /** Microseconds of processor time, without creating the texts. */
  readonly cpu: number
}

const BATCH = 500

const numbersFrom = (first: number): ReadonlyArray<number> => Array.from({ length: BATCH }, (_, at) => first + at)

/** The number of chunks per segment, or a few more. */
export const buildSegments = (chunkCount: number, documentAt: (number: number) => Chunks): Built => {
  const segments: Array<Uint8Array> = []
  const done = { chunks: 0, cpu: 0 }
  let builder = new SegmentBuilder()
  for (let number = 0; done.chunks < chunkCount; number += BATCH) {
    const documents = numbersFrom(number).map((each) => indexDocument(each, documentAt(each)))
    done.cpu += cpuOf(() => {
      for (const document of documents) {
        if (done.chunks >= chunkCount) return
        if (builder.chunkCount + document.chunks.length > MAX_SEGMENT_CHUNKS) {
          segments.push(builder.build())
          builder = new SegmentBuilder()
        }
        builder.add(document)
        done.chunks += document.chunks.length
      }
    })
  }
  done.cpu += cpuOf(() => segments.push(builder.build()))
  return { segments, cpu: done.cpu }
}

/** A query in separate steps, so that reading texts can be excluded from the measurement. */
export class Asked {
  readonly #parts: ReadonlyArray<ViewPart>
  readonly #query: Query
  readonly #ranking: RankingMethod
  #scoring: Scoring
  #found: PieceHits = { toRescore: [], rest: [] }
  #texts: ReadonlyMap<Hit, ReadonlyArray<string>> = new Map()

  constructor(parts: ReadonlyArray<ViewPart>, text: string, ranking = RANKING) {
    this.#parts = parts
    this.#query = parseQuery(text)
    this.#ranking = ranking
    this.#scoring = scoringFor(this.#query, sumOf([]), ranking.parameters)
  }

  /** `isFused`: with another ranking, so that all rescored hits need their scores. */
  find(limit: number, isFused = false): void {
    this.#scoring = scoringFor(this.#query, statisticsOf(this.#parts, this.#query), this.#ranking.parameters)
    const exactHits = isFused || this.#ranking.rescore !== RANKING.rescore ? undefined : limit
    const rescoreWindow = rescoreWindowFor(this.#query)
    const options = { limit: Math.max(limit, rescoreWindow), groupBy: "document", rescoreWindow, exactHits } as const
    this.#found = searchPiece(this.#parts, this.#query, this.#scoring, options)
  }

  read(documentAt: (number: number) => Chunks): void {
    this.#texts = new Map(
      hitsToRead(this.#query, this.#found.toRescore).map((hit) => {
        const { chunks, title } = documentAt(numberOf(hit.documentId))
        return [hit, [title, chunks[hit.ordinal] ?? ""]]
      })
    )
  }

  /** The hits, best first, and the number of rescored ones. */
  rescore(): Pick<Rankings, "lexical" | "ranked"> {
    const { rest, toRescore } = this.#found
    const best = this.#ranking.rescore(this.#query, this.#scoring, toRescore, (hit) => this.#texts.get(hit) ?? [])
    return { lexical: [...best, ...rest], ranked: best.length }
  }

  /** The ids of the documents, best first. */
  rank(limit: number): ReadonlyArray<string> {
    return this.rescore().lexical.slice(0, limit).map(({ documentId }) => documentId)
  }
}
