/** The statistics of a view that the scoring needs. Those of several views can be added. */
import { mayBecome } from "./completeQuery.ts"
import type { ViewPart } from "../segment/Mask.ts"
import { type Query, readIn } from "./Query.ts"

export interface Totals {
  readonly documents: number
  readonly chunks: number
  /** The number of words in all of them. */
  readonly length: number
}

export interface Statistics extends Totals {
  /** The number of chunks with each term of the query and its completions; at least one. */
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

/** `unfinished` is the original query if its last word may be incomplete. */
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
