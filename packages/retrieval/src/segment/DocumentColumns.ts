/** The documents of a segment under construction, column by column: an object for each would cost more than its bytes. */
import { ByteWriter } from "./bytes/ByteWriter.ts"
import { writeColumn } from "./bytes/Column.ts"
import { decodeLength } from "./bytes/lengths.ts"
import { sortStrings } from "./bytes/stringOrder.ts"
import { compareUuids, UUID } from "./bytes/uuidBytes.ts"
import { TermDictionaryWriter } from "./terms/TermDictionaryWriter.ts"

interface SegmentDocument {
  readonly version: number
  readonly from: number
  readonly to: number
  /** The index of its language. */
  readonly language: number
}

export class DocumentColumns {
  readonly #ids = new ByteWriter()
  readonly #versions: Array<number> = []
  readonly #froms: Array<number> = []
  readonly #spans: Array<number> = []
  readonly #languages = new ByteWriter()
  readonly #chunkCounts: Array<number> = []
  readonly #chunkLengths = new ByteWriter()
  /** The documents with each tag. */
  readonly #tags = new Map<string, Array<number>>()
  #totalLength = 0
  #languageBits = 0
  #earliest = Infinity
  #latest = -Infinity
  #latestEnd = -Infinity

  get size(): number {
    return this.#versions.length
  }

  get chunkCount(): number {
    return this.#chunkLengths.size
  }

  /** Of each document. */
  get chunkCounts(): ReadonlyArray<number> {
    return this.#chunkCounts
  }

  /** One code of `lengths.ts` for each chunk, valid until the next one is added. */
  get chunkLengths(): Uint8Array {
    return this.#chunkLengths.written()
  }

  /** The id is at `at` in `ids`. Chunks and tags follow. Returns the document's number. */
  add(ids: Uint8Array, at: number, { from, language, to, version }: SegmentDocument): number {
    const size = this.#ids.size
    const bytes = this.#ids.room(UUID)
    for (let byte = 0; byte < UUID; byte++) bytes[size + byte] = ids[at + byte]!
    this.#ids.wrote(size + UUID)
    this.#froms.push(from)
    this.#spans.push(to - from)
    this.#languages.byte(language)
    this.#chunkCounts.push(0)
    this.#languageBits |= 1 << language
    this.#earliest = Math.min(this.#earliest, from)
    this.#latest = Math.max(this.#latest, from)
    this.#latestEnd = Math.max(this.#latestEnd, to)
    return this.#versions.push(version) - 1
  }

  /** A chunk of the last document, with a code of `lengths.ts`. */
  addChunk(length: number): void {
    this.#chunkLengths.byte(length)
    this.#chunkCounts[this.#chunkCounts.length - 1]!++
    this.#totalLength += decodeLength(length)
  }

  /** A document's tags are added before those of later ones. */
  addTag(tag: string, document: number): void {
    const documents = this.#tags.get(tag)
    if (documents === undefined) this.#tags.set(tag, [document])
    // Once for each document.
    else if (documents.at(-1) !== document) documents.push(document)
  }

  get totals() {
    return {
      chunkCount: this.chunkCount,
      documentCount: this.size,
      totalLength: this.#totalLength,
      earliest: this.#earliest,
      latest: this.#latest,
      latestEnd: this.#latestEnd,
      tagCount: this.#tags.size,
      languages: this.#languageBits
    }
  }

  sections() {
    return {
      ...this.#idSections(),
      ...this.#tagSections(),
      chunkCounts: this.#countSection(),
      chunkLengths: this.chunkLengths,
      documentLanguages: this.#languages.written(),
      versions: writeColumn(this.#versions),
      froms: writeColumn(this.#froms),
      spans: writeColumn(this.#spans)
    }
  }

  #idSections() {
    const ids = this.#ids.written()
    const order = [...this.#versions.keys()].sort((left, right) => compareUuids(ids, left * UUID, ids, right * UUID))
    return { ids, idOrder: writeColumn(order) }
  }

  #countSection(): Uint8Array {
    const counts = new ByteWriter()
    for (let document = 0; document < this.size; document++) counts.number(this.#chunkCounts[document]!)
    return counts.written()
  }

  #tagSections() {
    const table = new TermDictionaryWriter()
    const postings = new ByteWriter()
    for (const tag of sortStrings(this.#tags.keys())) {
      const before = postings.size
      let next = 0
      const documents = this.#tags.get(tag)!
      for (const document of documents) {
        postings.number(document - next)
        next = document + 1
      }
      table.add(tag, documents.length, postings.size - before)
    }
    const { index, strings } = table.finish()
    return { tags: strings, tagIndex: index, tagPostings: postings.written() }
  }
}
