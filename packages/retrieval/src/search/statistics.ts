/** The statistics of a view that the scoring needs. Those of several views can be added. */
import { capitalizedTerm } from "../text/names/capitalized.ts"
import { possibleParts } from "./query/compounds.ts"
import { possibleSpellings } from "./query/spellings.ts"
import { mayBecome } from "./query/completeQuery.ts"
import type { ViewPart } from "../segment/Mask.ts"
import type { List, Postings } from "../segment/postings.ts"
import { MAX_SEGMENT_CHUNKS } from "../segment/SegmentBuilder.ts"
import { type Query, readIn } from "./query/Query.ts"

interface Totals {
  readonly documents: number
  readonly chunks: number
  /** The number of words in all of them. */
  readonly length: number
}

export interface Statistics extends Totals {
  /** The number of chunks with each term of the query, its completions, possible parts and spellings; at least one. */
  readonly frequencies: ReadonlyMap<string, number>
  /** The same of terms that only masked chunks contain: they do not occur, so what is found does not depend on merges. */
  readonly masked: ReadonlyMap<string, number>
  /** The number of documents with each identifier of the query; at least one. */
  readonly identified: ReadonlyMap<string, number>
  /** The set of languages of the documents. */
  readonly languages: number
}

const totalsOf = (parts: ReadonlyArray<ViewPart>): Totals =>
  parts.reduce(({ chunks, documents, length }, { mask, segment }) => ({
    documents: documents + segment.documentCount - mask.hiddenDocuments,
    chunks: chunks + segment.chunkCount - mask.hiddenChunks,
    length: length + segment.totalLength - mask.hiddenLength
  }), { documents: 0, chunks: 0, length: 0 })

// Counting is synchronous, so this buffer is shared.
const postings: Postings = { chunks: new Uint16Array(MAX_SEGMENT_CHUNKS), counts: new Uint8Array(MAX_SEGMENT_CHUNKS) }

/** Whether a chunk that contains the term is not masked. */
const isShownIn = ({ mask, segment }: ViewPart, list: List): boolean => {
  if (list.count > mask.hiddenChunks) return true
  const count = segment.readPostings(list, postings)
  for (let at = 0; at < count; at++) if (!mask.hides(segment.chunkDocuments[postings.chunks[at]!]!)) return true
  return false
}

const documentsIn = (parts: ReadonlyArray<ViewPart>, term: string): number => {
  let documents = 0
  for (const { mask, segment } of parts) {
    const list = segment.terms.find(term)
    if (list === null) continue
    const count = segment.readPostings(list, postings)
    let last = -1
    for (let at = 0; at < count; at++) {
      const document = segment.chunkDocuments[postings.chunks[at]!]!
      if (document !== last && !mask.hides(document)) documents++
      last = document
    }
  }
  return documents
}

/** `unfinished` is the original query if its last word may be incomplete. */
export const statisticsOf = (parts: ReadonlyArray<ViewPart>, written: Query, unfinished?: string): Statistics => {
  const languages = parts.reduce((all, { segment }) => all | segment.languages, 0)
  const query = readIn(written, languages)
  const frequencies = new Map<string, number>()
  const masked = new Map<string, number>()
  const count = (term: string) => {
    let frequency = 0
    let isShown = false
    for (const part of parts) {
      const list = part.segment.terms.find(term)
      if (list === null) continue
      frequency += list.count
      isShown ||= isShownIn(part, list)
    }
    if (frequency > 0) (isShown ? frequencies : masked).set(term, frequency)
  }
  for (const term of query.weights.keys()) count(term)
  for (const term of [...possibleParts(query), ...possibleSpellings(query)]) count(term)
  if (unfinished !== undefined) { for (const term of mayBecome(parts, query, unfinished, frequencies)) count(term) }
  for (const { capitalized } of query.readings) for (const term of capitalized) count(term)
  for (const word of query.capitalized) count(capitalizedTerm(word))
  const identified = new Map<string, number>()
  for (const term of query.identifiers) {
    count(term)
    const documents = documentsIn(parts, term)
    if (documents > 0) identified.set(term, documents)
  }
  return { ...totalsOf(parts), frequencies, masked, identified, languages }
}

const addTo = (sums: Map<string, number>, counts: ReadonlyMap<string, number>): void => {
  for (const [term, count] of counts) sums.set(term, (sums.get(term) ?? 0) + count)
}

export const sumOf = (all: ReadonlyArray<Statistics>): Statistics => {
  const frequencies = new Map<string, number>()
  const masked = new Map<string, number>()
  const identified = new Map<string, number>()
  let [documents, chunks, length, languages] = [0, 0, 0, 0]
  for (const one of all) {
    documents += one.documents
    chunks += one.chunks
    length += one.length
    languages |= one.languages
    addTo(frequencies, one.frequencies)
    addTo(masked, one.masked)
    addTo(identified, one.identified)
  }
  for (const [term, count] of masked) {
    if (!frequencies.has(term)) continue
    addTo(frequencies, new Map([[term, count]]))
    masked.delete(term)
  }
  return { documents, chunks, length, languages, frequencies, masked, identified }
}
