/** Collections of documents for properties, and the plain way to search them. */
import { Arbitrary, Schema } from "effect"
import { decodeLength, encodeLength } from "../../src/segment/bytes/lengths.ts"
import { PARAMETERS } from "../../src/search/parameters.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import type { IndexDocument } from "../../src/segment/SegmentBuilder.ts"
import { termOf, visitWords } from "../../src/text/words.ts"
import { document } from "./segments.ts"

export const WORDS = [
  "budget",
  "plan",
  "grace",
  "berlin",
  "launch",
  "the",
  "of",
  "ABC-123",
  "café",
  "会议",
  "2026"
] as const
export const TAGS = ["mail", "chat", "file"] as const

const integerBelow = (bound: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: bound - 1 })))
const Sentence = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(WORDS)), { maxLength: 12 }),
  (words) => words.join(" ")
)

const DocumentSpec = Arbitrary.all({
  title: Sentence,
  chunks: Arbitrary.array(Sentence, { minLength: 1, maxLength: 4 }),
  tags: Arbitrary.array(Arbitrary.schema(Schema.Literals(TAGS)), { maxLength: 3 }),
  from: integerBelow(40),
  duration: integerBelow(4),
  part: integerBelow(4),
  hidden: integerBelow(4)
})

export interface Placed {
  readonly document: IndexDocument
  /** Into which segment it goes. */
  readonly part: number
  readonly hidden: boolean
}

/** Ids descend as documents ascend, so that nothing relies on their order. */
export const Collection: Arbitrary.Arbitrary<ReadonlyArray<Placed>> = Arbitrary.map(
  Arbitrary.array(DocumentSpec, { maxLength: 25 }),
  (drafts) =>
    drafts.map(({ chunks, duration, from, hidden, part, tags, title }, at) => ({
      document: document((at * 37) % 101 + 1, chunks, { title, tags, from, to: from + duration }),
      part,
      hidden: hidden === 0
    }))
)

export const QueryText = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals([...WORDS, "absent", "plans", "CAFE"])), { maxLength: 5 }),
  (words) => words.join(" ")
)

const termsOf = (text: string): ReadonlyArray<string> => {
  const terms: Array<string> = []
  visitWords(text, (start, end) => terms.push(termOf(text.slice(start, end))))
  return terms
}

export interface PlainHit {
  readonly documentId: string
  readonly ordinal: number
  readonly score: number
}

/** BM25 of every chunk, straight from its definition; identifiers are left to the tests that are about them. */
export const plainSearch = (documents: ReadonlyArray<IndexDocument>, query: string): ReadonlyArray<PlainHit> => {
  const chunks = documents.flatMap(({ chunks, id, title }) =>
    chunks.map((text, ordinal) => ({ id, ordinal, terms: [...termsOf(title), ...termsOf(title), ...termsOf(text)] }))
  )
  const lengthOf = (terms: ReadonlyArray<string>) => decodeLength(encodeLength(terms.length))
  const average = Math.max(1, chunks.reduce((sum, { terms }) => sum + lengthOf(terms), 0) / Math.max(1, chunks.length))
  const { identifiers, weights } = parseQuery(query)
  const { b, k1 } = PARAMETERS
  if (identifiers.length > 0) throw new Error("not for identifiers")
  return chunks.map(({ id, ordinal, terms }) => {
    let score = 0
    for (const [term, times] of weights) {
      const frequency = chunks.filter((other) => other.terms.includes(term)).length
      const idf = Math.log(1 + (chunks.length - frequency + 0.5) / (frequency + 0.5))
      const count = terms.filter((other) => other === term).length
      const norm = k1 * (1 - b + b * lengthOf(terms) / average)
      score += (times * (k1 + 1) * idf * count) / (count + norm)
    }
    return { documentId: id, ordinal, score }
  }).filter(({ score }) => score > 0).sort((left, right) =>
    right.score - left.score ||
    (left.documentId < right.documentId ? -1 : left.documentId > right.documentId ? 1 : left.ordinal - right.ordinal)
  )
}
