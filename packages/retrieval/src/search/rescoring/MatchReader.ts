/** Reads the title and the text of a hit for the positions of the query's words. */
import type { ViewPart } from "../../segment/Mask.ts"
import { TermPositions, type Wanted } from "./proximity.ts"
import type { Place } from "../TopHits.ts"
import { WordSieve } from "./WordSieve.ts"

export interface MatchQuality {
  /** How near the query's words are to each other, from 0 to 1. */
  readonly proximity: number
  readonly hasAllPhrases: boolean
  /** Whether it may contain a name of several words. */
  readonly mayHaveName: boolean
}

export const NO_MATCH: MatchQuality = { proximity: 0, hasAllPhrases: false, mayHaveName: false }

// Reading is synchronous, so its buffer is shared.
const sieve = new WordSieve()

export class MatchReader {
  #parts: ReadonlyArray<ViewPart> = []
  #terms: ReadonlyArray<string> = []
  /** For each part that was read, the codes of the terms in its segment. */
  #numbers: Array<ReadonlyArray<number | null>> = []
  readonly #positions = new TermPositions()
  #part = -1

  open(parts: ReadonlyArray<ViewPart>, wanted: Wanted): void {
    this.#parts = parts
    this.#terms = wanted.terms
    this.#numbers = []
    this.#part = -1
    this.#positions.lookFor(wanted)
  }

  /** Releases the parts. */
  close(): void {
    this.#parts = []
  }

  read({ chunk, part }: Place): MatchQuality {
    const { segment } = this.#parts[part]!
    if (part !== this.#part) {
      this.#part = part
      sieve.lookFor(this.#numbers[part] ??= this.#terms.map((term) => segment.numberOf(term)))
    }
    const title = segment.titleWords(segment.chunkDocuments[chunk]!)
    const text = segment.chunkWords(chunk)
    const positions = this.#positions
    positions.clear()
    positions.startAfter(sieve.visit(segment.wordBytes(title), title, positions))
    sieve.visit(segment.wordBytes(text), text, positions)
    return {
      proximity: positions.proximity(),
      hasAllPhrases: positions.holdsAllPhrases(),
      mayHaveName: positions.holdsName()
    }
  }
}
