/** Term vectors of the best hits: how often each word occurs in each of them, without the words of the query. */
import type { ViewPart } from "../../segment/Mask.ts"
import type { Segment } from "../../segment/Segment.ts"
import { type ByteRange, EncodedString } from "../../segment/terms/TermDictionary.ts"
import { readWords } from "../../segment/forwardIndex.ts"
import { IndexByHash } from "./IndexByHash.ts"
import type { Scoring } from "../scoring.ts"
import type { Scored } from "../TopHits.ts"

/** How many of the best hits are compared with each other. */
export const COMPARED_HITS = 30

/** How many of them, the first ones, all are compared with: the feedback of pseudo-relevance feedback. */
export const FEEDBACK_HITS = 7

/** More occurrences of a word count no more. */
const MAX_TIMES = 255

/** The index of all words of the query. */
const QUERY_WORD = 0xffff

/** The index of all words that no feedback hit contains. */
const OTHER = 0xfffe

interface Word {
  /** Where it was read first. */
  part: number
  number: number
  hit: number
  /** The number of hits that contain it. */
  holders: number
  /** The number of chunks that contain it, in the parts of which the bits are set. */
  frequency: number
  counted: number
}

/** Parts with a bit of their own. */
const BITS = 31

/** Reused for every search, to avoid allocating its arrays and objects. */
export class TermVectors {
  /** In one segment, the index of each word plus one by its number, `QUERY_WORD` or `OTHER`; zero if it is not read yet. */
  #indexes = new Uint16Array(1 << 12)
  /** The numbers of the segment with an index. */
  #indexed: Array<number> = []
  /** If there are several segments: a term has another number in each. */
  readonly #byHash = new IndexByHash()
  readonly #term = new EncodedString()
  #numbers = new Uint32Array(1 << 10)
  /** The first `count` are valid. */
  readonly #words: Array<Word> = []
  count = 0
  /** The occurrences of each word in each hit. */
  #times = new Uint8Array(1 << 16)
  /** For each hit, the number of words that no feedback hit contains. */
  readonly others = new Uint32Array(COMPARED_HITS)

  open(parts: ReadonlyArray<ViewPart>, { terms }: Scoring, hits: ReadonlyArray<Scored>): void {
    const held = new Set(hits.map(({ part }) => part))
    const areSeveral = held.size > 1
    // First the feedback hits, because only their words have an index.
    for (const [from, to] of [[0, FEEDBACK_HITS], [FEEDBACK_HITS, hits.length]] as const) {
      for (const part of held) {
        const { segment } = parts[part]!
        for (const { term } of terms) {
          const number = segment.numberOf(term)
          if (number !== null) this.#setIndex(number, QUERY_WORD)
        }
        for (let hit = from; hit < Math.min(to, hits.length); hit++) {
          const { chunk } = hits[hit]!
          if (hits[hit]!.part !== part) continue
          this.#read(segment, part, segment.titleWords(segment.chunkDocuments[chunk]!), hit, areSeveral)
          this.#read(segment, part, segment.chunkWords(chunk), hit, areSeveral)
        }
        if (areSeveral) this.#endSegment()
      }
    }
    this.#endSegment()
  }

  /** Also after a segment could not be read. */
  close(): void {
    this.#endSegment()
    this.#times.fill(0, 0, this.count * COMPARED_HITS)
    this.others.fill(0)
    this.#byHash.clear()
    this.count = 0
  }

  /** The only hit that contains a word; -1 if several do. */
  onlyHolder(index: number): number {
    const { hit, holders } = this.#words[index]!
    return holders === 1 ? hit : -1
  }

  times(index: number, hit: number): number {
    return this.#times[index * COMPARED_HITS + hit]!
  }

  /** The number of chunks that contain a word. */
  frequencyOf(parts: ReadonlyArray<ViewPart>, index: number): number {
    const word = this.#words[index]!
    const { segment } = parts[word.part]!
    let frequency = word.counted === 0 ? segment.termHashes.chunksWith(word.number) : word.frequency
    if (parts.length === 1) return frequency
    const hash = segment.termHashes.hashOf(word.number)
    const read = () => {
      this.#term.read(segment.terms, segment.placeOf(word.number))
      return this.#term
    }
    for (let part = 0; part < parts.length; part++) {
      const isCounted = part === word.part || (part < BITS && (word.counted & 1 << part) !== 0)
      if (!isCounted) frequency += parts[part]!.segment.termHashes.chunksWithHash(hash, read)
    }
    return frequency
  }

  #read(segment: Segment, part: number, text: ByteRange, hit: number, isOneOfSeveral: boolean): void {
    const length = text.end - text.start
    if (this.#numbers.length < length) this.#numbers = new Uint32Array(2 * length)
    const count = readWords(segment.wordBytes(text), text.start, text.end, this.#numbers)
    for (let at = 0; at < count; at++) {
      const number = this.#numbers[at]!
      let index = this.#indexes[number] ?? 0
      if (index === QUERY_WORD) continue
      if (index === 0) {
        index = this.#findIndex(segment, part, number, hit < FEEDBACK_HITS, isOneOfSeveral)
        this.#setIndex(number, index)
      }
      if (index === OTHER) {
        this.others[hit]!++
        continue
      }
      const place = (index - 1) * COMPARED_HITS + hit
      const times = this.#times[place]!
      if (times === 0) {
        const word = this.#words[index - 1]!
        word.holders++
        word.hit = hit
      }
      if (times < MAX_TIMES) this.#times[place] = times + 1
    }
  }

  #endSegment(): void {
    for (const number of this.#indexed) this.#indexes[number] = 0
    this.#indexed = []
  }

  #setIndex(number: number, index: number): void {
    if (number >= this.#indexes.length) {
      const indexes = new Uint16Array(2 * number)
      indexes.set(this.#indexes)
      this.#indexes = indexes
    }
    this.#indexes[number] = index
    this.#indexed.push(number)
  }

  #findIndex(segment: Segment, part: number, number: number, isFeedback: boolean, isOneOfSeveral: boolean): number {
    if (!isOneOfSeveral) return isFeedback ? this.#newIndex(part, number) + 1 : OTHER
    const { termHashes } = segment
    const hash = termHashes.hashOf(number)
    const index = isFeedback ? this.#byHash.add(hash, this.count) : this.#byHash.find(hash)
    if (index === -1) return OTHER
    if (index === this.count) this.#newIndex(part, number)
    const word = this.#words[index]!
    if (part < BITS && (word.counted & 1 << part) === 0) {
      word.frequency += termHashes.chunksWith(number)
      word.counted |= 1 << part
    }
    return index + 1
  }

  #newIndex(part: number, number: number): number {
    const index = this.count++
    const word = this.#words[index] ??= { part, number, hit: 0, holders: 0, frequency: 0, counted: 0 }
    word.part = part
    word.number = number
    word.holders = word.frequency = word.counted = 0
    if (this.#times.length < this.count * COMPARED_HITS) {
      const times = new Uint8Array(2 * this.#times.length)
      times.set(this.#times)
      this.#times = times
    }
    return index
  }
}
