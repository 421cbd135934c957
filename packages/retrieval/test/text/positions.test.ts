import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { bitOf, ENGLISH_ALONE, LANGUAGES } from "../../src/text/languages.ts"
import { occurrences } from "../../src/text/positions.ts"
import { termIn, termOf, visitWords } from "../../src/text/words.ts"
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

const OTHERS = LANGUAGES.filter((language) => bitOf(language) !== ENGLISH_ALONE)

/** Words of each language, with and without their accents and digraphs, and words of any letters. */
const foreignWords = () => {
  let state = 1
  const below = (limit: number) => (state = Math.imul(state, 48_271) >>> 1) % limit
  const letters = [..."abcdefghijklmnopqrstuvwxyzyyjiiäöüßéèñåæøœçîğ"]
  const made = Array.from(
    { length: 3_000 },
    () => Array.from({ length: 1 + below(9) }, () => letters[below(letters.length)]).join("")
  )
  const known = OTHERS.flatMap(({ stopWords }) => [...stopWords])
  const named = ["Aerger", "ueber", "Oefen", "A\u0308rger", "A\u030angstro\u0308m", "yeux", "Ijs", "île", "ŞTIU"]
  return [...made, ...known, ...known.map((word) => word.normalize("NFD")), ...named]
}

const plainly = (text: string, wanted: ReadonlySet<string>) => {
  const found: Array<Array<string | number>> = []
  visitWords(text, (start, end) => {
    const term = termOf(text.slice(start, end))
    if (wanted.has(term)) found.push([term, start])
  })
  return found
}

describe("the positions of terms", () => {
  const check = (text: string, query: string) => {
    const wanted = new Set<string>()
    visitWords(query, (start, end) => wanted.add(termOf(query.slice(start, end))))
    for (const words of [text, query, text.toUpperCase()]) {
      assert.deepStrictEqual(occurrences(words, wanted).map(({ start, term }) => [term, start]), plainly(words, wanted))
    }
  }

  it.prop("are those of all words with the same stem", [Text, Text], ([text, query]) => check(text, query))

  it.prop(
    "are found even if folding changes the start of a word",
    [Words, Words],
    ([text, query]) => check(text.join(" "), query.join(" "))
  )

  it("are found in every language, whatever its stems make of how a word begins", () => {
    const words = foreignWords().filter((_, at) => at % extent(5, 1) === 0)
    for (const language of OTHERS) {
      const languages = ENGLISH_ALONE | bitOf(language)
      for (const word of words) {
        const wanted = new Set([termIn(language, word)])
        const each = { has: (term: string) => wanted.has(term) }
        const found = occurrences(word, wanted, languages)
        if (found.length !== occurrences(word, each, languages).length) assert.fail(`${word} in ${language.place}`)
      }
    }
  })
})
