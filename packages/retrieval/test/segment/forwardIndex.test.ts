import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Mask } from "../../src/segment/Mask.ts"
import { mergeSegments } from "../../src/segment/mergeSegments.ts"
import { openSegment, type Segment } from "../../src/segment/Segment.ts"
import { type Language, languageOf } from "../../src/text/languages.ts"
import { termIn, visitWords } from "../../src/text/words.ts"
import { readWords, WordWriter } from "../../src/segment/forwardIndex.ts"
import { TermScanner } from "../../src/search/rescoring/TermScanner.ts"
import { bytesOf, document } from "../support/segments.ts"
import { Text } from "../support/texts.ts"

/** Numbers at every border between one byte and four, some near to each other. */
const NUMBERS = [0, 1, 127, 128, 129, 383, 384, 23_166, 23_167, 23_168, 23_169, 350_847, 350_848, 350_849, 9_000_000]
const Numbers = Arbitrary.array(
  Arbitrary.schema(
    Schema.Union([
      Schema.Literals(NUMBERS as [number, ...Array<number>]),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400_000 }))
    ])
  ),
  { maxLength: 200 }
)

/** One text after the other, each as it is written. */
const allWritten = (texts: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<Uint8Array> => {
  const terms = [...new Set(texts.flat())]
  const writer = new WordWriter(Math.max(0, ...terms) + 1)
  return texts.map((numbers) => {
    const before = writer.columns().forwardIndex.length
    const words = Uint32Array.from(numbers, (number) => terms.indexOf(number))
    writer.write(words, 0, words.length, Uint32Array.from(terms))
    return writer.columns().forwardIndex.slice(before)
  })
}

const written = (numbers: ReadonlyArray<number>): Uint8Array => allWritten([numbers])[0]!

const termsIn = (text: string, language: Language): ReadonlyArray<string> => {
  const terms: Array<string> = []
  visitWords(text, (start, end) => terms.push(termIn(language, text.slice(start, end))))
  return terms
}

/** The title and the only chunk of a document, as terms. */
const readFrom = (segment: Segment, document: number): ReadonlyArray<ReadonlyArray<string>> => {
  const names = new Map([...segment.terms.entries()].map(({ string }) => [segment.numberOf(string)!, string]))
  const texts = [segment.titleWords(document), segment.chunkWords(segment.firstChunks[document]!)]
  return texts.map((stretch) => {
    const words = new Uint32Array(stretch.end - stretch.start)
    const count = readWords(segment.wordBytes(stretch), stretch.start, stretch.end, words)
    return [...words.subarray(0, count)].map((number) => names.get(number)!)
  })
}

describe("the order of words", () => {
  it.prop("is read as it was written, text by text", [Numbers, Numbers], ([first, second]) => {
    const texts = [first, second, first]
    allWritten(texts).forEach((bytes, text) => {
      const read = new Uint32Array(bytes.length)
      const count = readWords(bytes, 0, bytes.length, read)
      assert.deepStrictEqual([...read.subarray(0, count)], texts[text])
    })
  })

  it.prop("has the positions of given words", [Numbers, Numbers], ([numbers, others]) => {
    const scanner = new TermScanner()
    const bytes = written(numbers)
    for (const wanted of [numbers.slice(0, 9), others, [...numbers, ...others]]) {
      const terms = [...new Set<number | null>([...wanted, null])]
      scanner.setTerms(terms)
      const found: Array<readonly [number, number]> = []
      const count = scanner.scan(bytes, { start: 0, end: bytes.length }, {
        add: (term, position) => found.push([position, terms[term]!])
      })
      assert.strictEqual(count, numbers.length)
      assert.deepStrictEqual(found, [...numbers.entries()].filter(([, number]) => wanted.includes(number)))
    }
  })

  it.prop(
    "equals that of the texts, in a built and in a merged segment",
    [Text, Text],
    ([title, text]) => {
      const built = openSegment(bytesOf([document(1, ["Berlin"]), document(2, [text], { title })]))
      const first = openSegment(bytesOf([document(3, ["other budget plans"]), document(1, ["Berlin"])]))
      const second = openSegment(bytesOf([document(2, [text], { title })]))
      const merged = openSegment(
        mergeSegments([{ segment: first, mask: new Mask(first, [0]) }, { segment: second, mask: new Mask(second) }])
      )
      const language = languageOf([text])
      for (const segment of [built, merged]) {
        assert.deepStrictEqual(readFrom(segment, 1), [title, text].map((text) => termsIn(text, language)))
      }
    },
    { arbitrary: { runs: 60 } }
  )

  it("takes one byte for each frequent word, and for each repeated one", () => {
    const rare = NUMBERS.filter((number) => number > 127)
    assert.strictEqual(written([...rare, ...rare, ...rare]).length, written(rare).length + 2 * rare.length)
    assert.strictEqual(written([0, 1, 127]).length, 3)
  })
})
