/** Our engine as the service uses it: the best fifty of a view, rescored by the proximity of their words. */
import { RANKING } from "@tributary/core/Tributary"
import {
  type Found,
  type Hit,
  Mask,
  MAX_SEGMENT_CHUNKS,
  needsTexts,
  openSegment,
  parseQuery,
  type Query,
  type Scoring,
  scoringFor,
  searchPiece,
  SegmentBuilder,
  statisticsOf,
  sumOf,
  type ViewPart
} from "@tributary/retrieval"
import { cpuOf } from "./cpu.ts"

/** As many as the service ranks again. */
const RANKED = 50

export interface Chunks {
  readonly title: string
  readonly chunks: ReadonlyArray<string>
}

/** In no order of time, as ids of documents that come from many sources are. */
export const uuidOf = (number: number): string =>
  `${(Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}-0000-7000-8000-${
    number.toString(16).padStart(12, "0")
  }`

export const numberOf = (id: string): number => Number.parseInt(id.slice(-12), 16)

/** A day has some hundred documents. */
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
  /** Microseconds of processor time, that of making the texts left out. */
  readonly cpu: number
}

const BATCH = 500

const numbersFrom = (first: number): ReadonlyArray<number> => Array.from({ length: BATCH }, (_, at) => first + at)

/** Segments of this many chunks or a few more. */
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

/** A query on its way to its answer, so that reading texts can be left out of what is measured. */
export class Asked {
  readonly #parts: ReadonlyArray<ViewPart>
  readonly #query: Query
  #scoring: Scoring
  #found: Found = { rescored: [], rest: [] }
  #texts: ReadonlyMap<Hit, ReadonlyArray<string>> = new Map()

  constructor(parts: ReadonlyArray<ViewPart>, text: string) {
    this.#parts = parts
    this.#query = parseQuery(text)
    this.#scoring = scoringFor(this.#query, sumOf([]), RANKING.parameters)
  }

  find(limit: number): void {
    this.#scoring = scoringFor(this.#query, statisticsOf(this.#parts, this.#query), RANKING.parameters)
    const options = { limit: Math.max(limit, RANKED), groupBy: "document", ranked: RANKED, settled: limit } as const
    this.#found = searchPiece(this.#parts, this.#query, this.#scoring, options)
  }

  read(documentAt: (number: number) => Chunks): void {
    if (!needsTexts(this.#query)) return
    this.#texts = new Map(
      this.#found.rescored.map(({ hit }) => {
        const { chunks, title } = documentAt(numberOf(hit.documentId))
        return [hit, [title, chunks[hit.ordinal] ?? ""]]
      })
    )
  }

  /** The ids of the documents, best first. */
  rank(limit: number): ReadonlyArray<string> {
    const { rest, rescored } = this.#found
    const ranked = RANKING.rescore(this.#query, this.#scoring, rescored, (hit) => this.#texts.get(hit) ?? [])
    return [...ranked, ...rest].slice(0, limit).map(({ documentId }) => documentId)
  }
}

export const searchParts = (
  parts: ReadonlyArray<ViewPart>,
  text: string,
  limit: number,
  documentAt: (number: number) => Chunks
): ReadonlyArray<string> => {
  const asked = new Asked(parts, text)
  asked.find(limit)
  asked.read(documentAt)
  return asked.rank(limit)
}
