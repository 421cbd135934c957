import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { foldText } from "../../src/statements/foldText.ts"
import { locateQuote } from "../../src/statements/locateQuote.ts"
import { DOCUMENTS } from "../support/documents.ts"

const located = (text: string, quote: string): ReadonlyArray<string> =>
  locateQuote(foldText(text), quote).map(({ end, start }) => text.slice(start, end))

const TEXT =
  `# Deploys\n\nDeploys run on weekdays\n  before 16:00.\u00A0Ada’s team — the “platform” team — approves them.
- It costs **29 EUR** a [month](https://example.com/a "b") or snake\\_case.\n
| Plan | Price |\n|------|:-----:|\n| Pro  | 1.5 EUR |\n| Free | -5 |\nZu\u00ADgang cafe\u0301 한국어 ﬁne naïve.`

describe("a quote is found", () => {
  test.each([
    ["over line breaks and indentation", "run on weekdays before 16:00", ["run on weekdays\n  before 16:00"]],
    ["with straight quotation marks", "Ada's team - the 'platform' team", ["Ada’s team — the “platform” team"]],
    ["without dashes between words", "the platform\" team approves", []],
    ["without emphasis and the address of a link", "It costs 29 EUR a month", ["It costs **29 EUR** a [month"]],
    ["with the Markdown that the text has", "**29 EUR** a [month](https://example.com/a \"b\") or", [
      "29 EUR** a [month](https://example.com/a \"b\") or"
    ]],
    ["without escapes", "month or snake_case", ["month](https://example.com/a \"b\") or snake\\_case"]],
    ["over the rows of a table", "Plan Price Pro 1.5 EUR", ["Plan | Price |\n|------|:-----:|\n| Pro  | 1.5 EUR"]],
    ["without soft hyphens", "Zugang", ["Zu\u00ADgang"]],
    ["in other Unicode forms", "café \u1112\u1161\u11AB국어 fine nai\u0308ve", ["cafe\u0301 한국어 ﬁne naïve"]],
    ["with another case", "DEPLOYS RUN ON", ["Deploys run on"]],
    ["with other punctuation at its end", "Deploys run on weekdays.", ["Deploys run on weekdays"]],
    ["in parts where dots shorten it", "Deploys run … before 16:00 [...] approves them.", [
      "Deploys run",
      "before 16:00",
      "approves them."
    ]],
    ["not where a part is missing", "Deploys run ... on Sundays", []],
    ["not where parts come in another order", "approves them ... Deploys run", []],
    ["not inside a word", "eploys run", []],
    ["not where it cuts a number short", "Pro 1", []],
    ["not where it cuts a number's start off", "5 EUR", []],
    ["not where it cuts a sign off", "5", []],
    ["not where it drops an accent", "cafe", []],
    ["not where it is empty", " \"\" ", []]
  ])("%s", (_, quote, expected) => {
    expect(located(TEXT, quote)).toEqual(expected)
  })

  test("without the marks of a direction of writing, and with an emoji in its other form", () => {
    const text = "\u200Fהמשרד סגור בשבת.\u200F ⚠\uFE0F Mind 👩‍👧 here."
    expect(located(text, "\u202Bהמשרד סגור בשבת.\u202C")).toEqual(["המשרד סגור בשבת."])
    expect(located(text, "⚠ Mind 👩‍👧 here")).toEqual(["⚠\uFE0F Mind 👩‍👧 here"])
  })

  test("inside text without spaces between words", () => {
    expect(located("製品は東京で作られています。", "東京で作られて")).toEqual(["東京で作られて"])
  })
})

const CHANGES: ReadonlyArray<(quote: string) => string> = [
  (quote) => quote.replace(/\s+/g, " "),
  (quote) => quote.replace(/ /g, "\u00A0"),
  (quote) => quote.replace(/ /g, "\n  "),
  (quote) => quote.replace(/'/g, "’").replace(/"/g, "“"),
  (quote) => quote.replace(/-/g, "–"),
  (quote) => quote.replace(/[*_`]/g, ""),
  (quote) => quote.normalize("NFD"),
  (quote) => quote.replace(/(\p{L})(\p{L})/gu, "$1\u00AD$2"),
  (quote) => quote.replace(/^\p{L}[^]*\p{L}$/u, "**$&**"),
  (quote) => quote.toUpperCase()
]

const stretch = fc.record({
  document: fc.integer({ min: 0, max: DOCUMENTS.length - 1 }),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  words: fc.integer({ min: 3, max: 30 }),
  changes: fc.subarray([...CHANGES])
})

/** A change of letters or digits is not allowed. */
const letters = (text: string): string =>
  text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(/\]\([^()\s]*(?:\s+"[^"]*")?\)/g, "").replace(
    /[^\p{L}\p{N}]/gu,
    ""
  )

const pick = (text: string, at: number, words: number): string => {
  const all = [...text.matchAll(/\S+/g)]
  const first = Math.floor(at * Math.max(0, all.length - words - 1))
  const last = all[Math.min(all.length - 1, first + words)]
  return text.slice(all[first]?.index ?? 0, (last?.index ?? 0) + (last?.[0].length ?? 0))
}

describe("over real documents", () => {
  const folded = DOCUMENTS.map(foldText)

  test("every stretch is found despite a model's changes, and the found text is equivalent", () => {
    expect(DOCUMENTS.length).toBeGreaterThan(10)
    fc.assert(
      fc.property(stretch, ({ at, changes, document, words }) => {
        const text = DOCUMENTS[document]!
        const piece = pick(text, at, words)
        fc.pre(letters(piece).length > 3 && !/\.{3}|…/.test(piece) && !/\]\([^)]*$|^[^(]*\)/.test(piece))
        const quote = changes.reduce((changed, change) => change(changed), piece)
        const spans = locateQuote(folded[document]!, quote)
        expect(spans.length).toBe(1)
        expect(letters(text.slice(spans[0]!.start, spans[0]!.end))).toBe(letters(piece))
      }),
      { numRuns: 1_000 }
    )
  })

  test("nothing is found after a word is added, omitted in the middle, or replaced", () => {
    fc.assert(
      fc.property(stretch, fc.nat(), ({ at, document, words }, random) => {
        const piece = pick(DOCUMENTS[document]!, at, words)
        const parts = piece.split(/\s+/)
        const middle = 1 + random % (parts.length - 1)
        const added = [...parts.slice(0, middle), "xyzzy", ...parts.slice(middle)].join(" ")
        const exchanged = parts.with(middle, "xyzzy").join(" ")
        expect(locateQuote(folded[document]!, added)).toEqual([])
        expect(locateQuote(folded[document]!, exchanged)).toEqual([])
      }),
      { numRuns: 300 }
    )
  })
})

test("any text folds into characters that map to their sources, in order", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (left, right) => {
      const source = left + right
      const { ends, starts, text } = foldText(source)
      expect([starts.length, ends.length]).toEqual([text.length, text.length])
      starts.forEach((start, at) => {
        expect(start).toBeGreaterThanOrEqual(Math.max(0, starts[at - 1] ?? 0))
        expect(ends[at]!).toBeGreaterThan(start)
        expect(ends[at]!).toBeLessThanOrEqual(source.length)
      })
    }),
    { numRuns: 500 }
  )
})
