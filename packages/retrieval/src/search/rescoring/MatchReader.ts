/** Reads the title and the text of a hit for the positions of the query's words. */
import type { ViewPart } from "../../segment/Mask.ts"
import { type PositionQuery, TermPositions } from "./proximity.ts"
import type { Place } from "../TopHits.ts"
import { TermScanner } from "./TermScanner.ts"

export interface MatchQuality {
  /** How near the query's words are to each other, from 0 to 1. */
  readonly proximity: number
  readonly hasAllPhrases: boolean
  /** Whether it may contain a name of several words. */
  readonly mayHaveName: boolean
}

export const NO_MATCH: MatchQuality = { proximity: 0, hasAllPhrases: false, mayHaveName: false }

// Reading is synchronous, so its buffer is shared.
const scanner = new TermScanner()

export class MatchReader {
  #parts: ReadonlyArray<ViewPart> = []
  #terms: ReadonlyArray<string> = []
  /** For each part that was read, the codes of the terms in its segment. */
  #numbers: Array<ReadonlyArray<number | null>> = []
  readonly #positions = new TermPositions()
  #part = -1

  open(parts: ReadonlyArray<ViewPart>, query: PositionQuery): void {
    this.#parts = parts
    this.#terms = query.terms
    this.#numbers = []
    this.#part = -1
    this.#positions.open(query)
  }

  /** Releases the parts. */
  close(): void {
    this.#parts = []
  }

  read({ chunk, part }: Place): MatchQuality {
    const { segment } = this.#parts[part]!
    if (part !== this.#part) {
      this.#part = part
      scanner.setTerms(this.#numbers[part] ??= this.#terms.map((term) => segment.numberOf(term)))
    }
    const title = segment.titleWords(segment.chunkDocuments[chunk]!)
    const text = segment.chunkWords(chunk)
    const positions = this.#positions
    positions.clear()
    positions.startAfter(scanner.scan(segment.wordBytes(title), title, positions))
    scanner.scan(segment.wordBytes(text), text, positions)
    return {
      proximity: positions.proximity(),
      hasAllPhrases: positions.holdsAllPhrases(),
      mayHaveName: positions.holdsName()
    }
  }
}
