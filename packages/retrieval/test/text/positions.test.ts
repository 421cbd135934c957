import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { occurrences } from "../../src/text/positions.ts"
import { termOf, visitWords } from "../../src/text/words.ts"
import { Text } from "../support/texts.ts"

const WORDS = [
  "dying",
  "lies",
  "skies",
  "I",
  "Ice",
  "using",
  "as",
  "naïve",
  "CAFÉ",
  "e\u0301tude",
  "5",
  "B2",
  "Yes",
  "İzmir"
]
const Words = Arbitrary.array(Arbitrary.schema(Schema.Literals(WORDS)), { maxLength: 20 })

const plainly = (text: string, wanted: ReadonlySet<string>) => {
  const found: Array<Array<string | number>> = []
  visitWords(text, (start, end) => {
    const term = termOf(text.slice(start, end))
    if (wanted.has(term)) found.push([term, start])
  })
  return found
}

describe("the occurrences of terms", () => {
  const check = (text: string, query: string) => {
    const wanted = new Set<string>()
    visitWords(query, (start, end) => wanted.add(termOf(query.slice(start, end))))
    for (const words of [text, query, text.toUpperCase()]) {
      assert.deepStrictEqual(occurrences(words, wanted).map(({ start, term }) => [term, start]), plainly(words, wanted))
    }
  }

  it.prop("are those of all words that come down to them", [Text, Text], ([text, query]) => check(text, query))

  it.prop(
    "are found where folding changes how a word begins",
    [Words, Words],
    ([text, query]) => check(text.join(" "), query.join(" "))
  )
})
