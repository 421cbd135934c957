/** What the scoring of a query needs to know of the parts of a view. That of several views adds up. */
import { mayBecome } from "./completeQuery.ts"
import type { ViewPart } from "../segment/Mask.ts"
import { type Query, readIn } from "./Query.ts"

export interface Totals {
  readonly documents: number
  readonly chunks: number
  /** Words in all of them. */
  readonly length: number
}

export interface Statistics extends Totals {
  /** How many chunks hold each term of the query, and each that its unfinished word may become; at least one. */
  readonly frequencies: ReadonlyMap<string, number>
  /** The set of languages of the documents. */
  readonly languages: number
}

export const totalsOf = (parts: ReadonlyArray<ViewPart>): Totals =>
  parts.reduce(({ chunks, documents, length }, { mask, segment }) => ({
    documents: documents + segment.documentCount - mask.hiddenDocuments,
    chunks: chunks + segment.chunkCount - mask.hiddenChunks,
    length: length + segment.totalLength - mask.hiddenLength
  }), { documents: 0, chunks: 0, length: 0 })

const frequencyIn = (parts: ReadonlyArray<ViewPart>, term: string): number => {
  let frequency = 0
  for (const { segment } of parts) frequency += segment.frequencyOf(term)
  return frequency
}

/** `unfinished` is the query as it was written, when its last word may be the beginning of one. */
export const statisticsOf = (parts: ReadonlyArray<ViewPart>, written: Query, unfinished?: string): Statistics => {
  const languages = parts.reduce((all, { segment }) => all | segment.languages, 0)
  const query = readIn(written, languages)
  const frequencies = new Map<string, number>()
  const count = (term: string) => {
    const frequency = frequencyIn(parts, term)
    if (frequency > 0) frequencies.set(term, frequency)
  }
  for (const term of query.weights.keys()) count(term)
  if (unfinished !== undefined) { for (const term of mayBecome(parts, query, unfinished, frequencies)) count(term) }
  return { ...totalsOf(parts), frequencies, languages }
}

export const sumOf = (all: ReadonlyArray<Statistics>): Statistics => {
  const frequencies = new Map<string, number>()
  let [documents, chunks, length, languages] = [0, 0, 0, 0]
  for (const one of all) {
    documents += one.documents
    chunks += one.chunks
    length += one.length
    languages |= one.languages
    for (const [term, frequency] of one.frequencies) frequencies.set(term, (frequencies.get(term) ?? 0) + frequency)
  }
  return { documents, chunks, length, languages, frequencies }
}
