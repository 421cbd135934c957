/** Builds a segment from texts. */
import { capitalizedTerm, isCapitalized, type Place } from "../text/names/capitalized.ts"
import { IdentifierFinder, identifierTerm } from "../text/names/identifiers.ts"
import { invert, TITLE_WEIGHT } from "./invert.ts"
import { encodeLength } from "./bytes/lengths.ts"
import { orderOf } from "./bytes/stringOrder.ts"
import { UUID, writeUuid } from "./bytes/uuidBytes.ts"
import { DocumentColumns } from "./DocumentColumns.ts"
import { Vocabulary } from "./terms/Vocabulary.ts"
import { type Language, languageOf } from "../text/languages.ts"
import { hyphenatedTerm, joinedTerms } from "../text/joined/hyphenated.ts"
import { pairFinder } from "../text/joined/singleCharacters.ts"
import { visitWords } from "../text/words.ts"
import { TermList } from "./terms/TermList.ts"
import { WordLog } from "./WordLog.ts"
import { writeSegment } from "./writeSegment.ts"

/** One version of a document to index. */
export interface IndexDocument {
  /** A UUID in lower case. */
  readonly id: string
  /** Grows with every version of the document. */
  readonly version: number
  readonly title: string
  /** Consecutive slices of the document's text. */
  readonly chunks: ReadonlyArray<string>
  /** Labels for exact filters. */
  readonly tags: ReadonlyArray<string>
  /** Milliseconds since the epoch. */
  readonly from: number
  /** The end of a document with a duration, otherwise equal to `from`. */
  readonly to: number
}

/** Chunk numbers have sixteen bits. */
export const MAX_SEGMENT_CHUNKS = 65_536

// Adding is synchronous, so all builders share this buffer.
const uuid = new Uint8Array(UUID)

export class SegmentBuilder {
  readonly #documents = new DocumentColumns()
  readonly #words = new WordLog()
  readonly #identifiers = new WordLog()
  readonly #terms = new TermList()
  /** Indexed by language. */
  readonly #vocabularies: Array<Vocabulary> = []

  get chunkCount(): number {
    return this.#documents.chunkCount
  }

  /**
   * Adds one version of a document. Throws a `RangeError` if its chunks do not fit into the segment; start another
   * segment before that.
   */
  add(document: IndexDocument): void {
    const { chunks, from, id, tags, title, to, version } = document
    const full = this.chunkCount + chunks.length > MAX_SEGMENT_CHUNKS || this.#documents.size === MAX_SEGMENT_CHUNKS
    if (full) throw new RangeError("the segment is full")
    writeUuid(id, uuid, 0)
    const language = languageOf(chunks)
    const number = this.#documents.add(uuid, 0, { version, from, to, language: language.place })
    // A title counts in every chunk.
    const { nounsHaveCapitals } = language
    const ofTitle = this.#scan(chunks.length === 0 ? "" : title, language, { isTitle: true, nounsHaveCapitals })
    const place = { isTitle: false, nounsHaveCapitals }
    for (const text of chunks) {
      this.#documents.addChunk(encodeLength(ofTitle * TITLE_WEIGHT + this.#scan(text, language, place)))
    }
    // Invalid UTF-16 is replaced, as it is in lookups.
    for (const tag of tags) this.#documents.addTag(tag.toWellFormed(), number)
  }

  build(): Uint8Array {
    const terms = this.#terms.names
    const numbers = orderOf(terms)
    const names = Array.from(numbers, (number) => terms[number]!)
    const columns = invert(names, numbers, {
      chunkCounts: this.#documents.chunkCounts,
      logs: [this.#words, this.#identifiers]
    })
    return writeSegment(this.#documents, columns, (writer, codes) => {
      const ofTerms = new Uint32Array(numbers.length)
      for (let place = 0; place < numbers.length; place++) ofTerms[numbers[place]!] = codes[place]!
      this.#words.writeTo(writer, ofTerms)
    })
  }

  #vocabularyOf(language: Language): Vocabulary {
    return this.#vocabularies[language.place] ??= new Vocabulary(language, this.#terms, this.#words)
  }

  /** Logs the words and identifiers of a text. Returns the number of words. */
  #scan(text: string, language: Language, place: Place): number {
    const vocabulary = this.#vocabularyOf(language)
    const addName = (term: string) => this.#identifiers.add(this.#terms.numberOf(term))
    const finder = new IdentifierFinder(text, (identifier) => addName(identifierTerm(identifier)))
    const pair = pairFinder(text, addName)
    vocabulary.begin(text)
    visitWords(text, (start, end) => {
      vocabulary.addWord(start, end)
      finder.word(start, end)
      pair(start, end)
      if (isCapitalized(text, start, end, place)) addName(capitalizedTerm(text.slice(start, end)))
    })
    finder.finish()
    for (const term of joinedTerms(text, language)) addName(hyphenatedTerm(term))
    vocabulary.flush()
    this.#identifiers.endText()
    return this.#words.endText()
  }
}
