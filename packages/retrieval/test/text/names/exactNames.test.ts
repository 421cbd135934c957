import { assert, describe, it } from "@effect/vitest"
import { exactNames, holdersOf, NameFinder } from "../../../src/text/names/exactNames.ts"
import { parseQuery } from "../../../src/search/query/Query.ts"
import { rescoreWindowFor } from "../../../src/search/rescoring/rescoreWindow.ts"
import { rerank } from "../../support/rerank.ts"
import { wordsOf } from "../../../src/text/words.ts"
import { NAMES } from "../../support/names.ts"
import { document, search, segmentOf } from "../../support/segments.ts"

const AROUND: ReadonlyArray<readonly [before: string, after: string]> = [
  [" ", " "],
  [" (", ") "],
  [" \"", "\". "],
  [" see: ", ", "],
  ["：", "。"],
  [" <", "> "],
  ["\n", "\n"],
  [" *", "* "]
]

/** Another letter or digit in the middle. */
const misspelt = (name: string): string => {
  const at = [...name].findLastIndex((sign) => /[\p{L}\p{N}]/u.test(sign))
  return [...name].map((sign, index) =>
    index === at ? (sign === "9" || sign === "x" ? "8" : /\d/.test(sign) ? "9" : "x") : sign
  ).join("")
}

/** What a version is of may be joined to it. */
const IS_VERSION = /^\d+(?:\.\d+)+$/

const PHONES: ReadonlySet<string> = new Set(NAMES.phones)

const nearMisses = (name: string): ReadonlyArray<string> => {
  const parts = wordsOf(name)
  const always = [misspelt(name), `${name}7`, [...parts].reverse().join(" "), parts.map((part) => `${part}s`).join(" ")]
  // A phone number is the same with other signs between its digits, and beside a word.
  const others = PHONES.has(name) ? [] : [`${name}_copy`, parts.join(" ")]
  const joined = PHONES.has(name) || IS_VERSION.test(name) ? [] : [`old-${name}`]
  return [...always, ...others, ...joined].filter((other) => other !== name)
}

const names = Object.values(NAMES).flat()
const targets = names.map((name, at) => {
  const [before, after] = AROUND[at % AROUND.length]!
  return `Something else entirely is said about it, for the record of the team:${before}${name}${after}was seen by us once today.`
})
// What resembles a name is said more often, in fewer words, and beside what is asked about.
const others = names.flatMap((name) =>
  nearMisses(name).map((near) => `The status of ${near} and the plan for ${near}.`)
)
const texts = [...targets, ...others]
const part = segmentOf(texts.map((text, at) => document(at, [text])))

const firstFor = (query: string): string | undefined => {
  const hits = search([part], query, { limit: 50 })
  const [first] = rerank([part], parseQuery(query), hits, ({ chunk }) => [texts[chunk]!])
  return first === undefined ? undefined : texts[first.chunk]
}

describe("a name in a query", () => {
  it("ranks the one text that contains it before all similar ones, alone and among other words", () => {
    assert.isAtLeast(names.length, 100)
    const missed = names.flatMap((name, at) =>
      [name, `what is the status of ${name}?`, `plan for "${name}"`, `(${name}) status plan`]
        .filter((query) => firstFor(query) !== targets[at])
    )
    assert.deepStrictEqual(missed, [])
  })

  it("may consist of several words, or be written in a script without spaces", () => {
    const misses: Readonly<Record<string, ReadonlyArray<string>>> = {
      "GPT 4": ["4 GPT", "GPT 3.5 and 4", "GPT 40", "GPT, or 4"],
      "B-AB 1234": ["B-AB 1235 and 1234", "1234 B-AB", "B-AC 1234 or AB"],
      "DE89 3704 0044 0532 0130 00": ["DE89 3704 0044 0532 00 0130", "DE89 3704 0044 0532 0130"],
      "O'Brien-Smythe": ["O'Brien and Smythe", "Smythe-O'Brien", "O Brien, Smythe"],
      "Charles de Gaulle": ["Gaulle, Charles", "Charles and de Gaulle"],
      "exit code 137": ["137 exit code", "exit or code 137"],
      王小明: ["小明王", "王小林明"],
      山田太郎: ["太郎山田", "山田花太郎"],
      สมชายใจดี: ["ใจดีสมชาย", "สมชาย และ ใจดี"],
      "Иван Петров": ["Петров Иван", "Иван и Петров"]
    }
    for (const [name, others] of Object.entries(misses)) {
      const target = `${"Something else is said here. ".repeat(20)} That was ${name}, they said. ${"More. ".repeat(20)}`
      const said = [target, ...others.map((other) => `Where is ${other}? There is ${other}, and it is ${other}.`)]
      const one = segmentOf(said.map((text, at) => document(at, [text])))
      for (const query of name === "exit code 137" ? [name] : [name, `where is ${name}?`]) {
        const hits = search([one], query, { limit: 50 })
        assert.strictEqual(rerank([one], parseQuery(query), hits, ({ chunk }) => [said[chunk]!])[0]?.chunk, 0, query)
      }
    }
  })

  it("may begin after the first word of a query, which has a capital in any case", () => {
    const cased = (query: string) => exactNames(query).map(({ cased }) => cased)
    assert.deepStrictEqual(cased("Is Windows 11 supported?"), ["Windows 11"])
    assert.deepStrictEqual(cased("Install Windows 11"), ["Install Windows", "Install Windows 11", "Windows 11"])
    const doubtful = exactNames("Install Windows 11").filter(({ certainty }) => certainty === "occurrence")
    assert.deepStrictEqual(doubtful.map(({ cased }) => cased), ["Install Windows 11"])
    assert.deepStrictEqual(cased("Why do Ada King's notes, Bob's and yours differ?"), ["Ada King"])
    assert.deepStrictEqual(cased("How Do You Reset Your Password?"), [])
  })

  it("of letters only counts where a text has its capitals, whatever other texts say in small letters", () => {
    const held = (query: string, texts: ReadonlyArray<string>) =>
      holdersOf(exactNames(query), texts.map((text) => [text])).map((holders) => [...holders])
    const texts = [
      "of grace and hopper, and grace hopper",
      "It was Grace Hopper, who said so.",
      "room 101 and Room 101"
    ]
    assert.deepStrictEqual(held("what did Grace Hopper say?", texts), [[1]])
    assert.deepStrictEqual(held("what did Grace Hopper say?", texts.slice(0, 1)), [[]])
    assert.deepStrictEqual(held("ROOM 101", texts), [[2]])
  })

  it("may be any word with a sign or a digit that prose does not have", () => {
    const names = ["10%", "$5", "\u20ac460k", "A+", "N,N-dimethylaniline", "C6H12O6", "Q&A", "10:30", "-v", "B-AB"]
    for (const name of names) {
      assert.deepStrictEqual(exactNames(`is it ${name}?`).map(({ cased }) => cased), [name])
    }
    for (const word of ["state-of-the-art", "and/or", "e.g.", "2024", "10th", "-dash", "--", "NASA", "IRAs", "Word"]) {
      assert.deepStrictEqual(exactNames(`is it ${word}?`), [], word)
    }
  })

  it("is found among hundreds of texts that repeat its words", () => {
    const near = Array.from({ length: 200 }, (_, at) => `The 4 of GPT is GPT with 4, and 4 and GPT are in room ${at}.`)
    const said = [`${"Something else is said here. ".repeat(20)} It was GPT 4, they said.`, ...near]
    const one = segmentOf(said.map((text, at) => document(at, [text])))
    const query = parseQuery("GPT 4")
    const read: Array<number> = []
    const [first] = rerank([one], query, search([one], "GPT 4", { limit: rescoreWindowFor(query) }), ({ chunk }) => {
      read.push(chunk)
      return [said[chunk]!]
    })
    assert.deepStrictEqual([first?.chunk, read.length], [0, 50])
  })

  it("that is a version may have before it what it is of", () => {
    const holders = (text: string) => holdersOf(exactNames("1.2.0"), [[text]]).map(({ size }) => size)
    for (const text of ["1.2.0", "v1.2.0", "(V1.2.0)", "tool-1.2.0", "tool-v1.2.0"]) {
      assert.deepStrictEqual(holders(text), [1], text)
    }
    for (const text of ["v11.2.0", "3.1.2.0", "1-1.2.0", "rev1.2.0", "v1.2.01", "v1.2.0.1", "v1.2.0-rc1"]) {
      assert.deepStrictEqual(holders(text), [0], text)
    }
  })

  it("is extracted from its surroundings", () => {
    const plain = (query: string) =>
      exactNames(query).filter(({ certainty }) => certainty === "form").map(({ plain }) => plain)
    assert.deepStrictEqual(plain("Who fixed (ABC-123)?"), ["abc-123"])
    assert.deepStrictEqual(plain("请看 ABC-123。"), ["abc-123"])
    assert.deepStrictEqual(plain("is C++ or C# better than .NET"), ["c++", "c#", ".net"])
    assert.deepStrictEqual(plain("in 2024, why $1,299.99, and not less?"), ["$1,299.99"])
    for (const query of ["¿ABC-123?", "¡Mira ABC-123!", "was ist ‹ABC-123›…", "ABC-123 — qué es", "ABC-123：什么？"]) {
      assert.deepStrictEqual(plain(query), ["abc-123"], query)
    }
  })

  it("does not include the article that French and Italian join to it", () => {
    const cased = (query: string) =>
      exactNames(query).filter(({ certainty }) => certainty !== "occurrence").map(({ cased }) => cased)
    assert.deepStrictEqual(cased("prix de l'A320 ?"), ["A320"])
    assert.deepStrictEqual(cased("capienza dell\u2019ABC-123"), ["ABC-123"])
    assert.deepStrictEqual(cased("where is O'Brien's desk?"), ["O'Brien"])
  })

  it("does not include the signs with which a sentence begins and ends in other scripts", () => {
    const cased = (query: string) => exactNames(query).map(({ cased }) => cased)
    assert.deepStrictEqual(exactNames("¿Funciona en Android?").map(({ cased, certainty }) => [cased, certainty]), [
      ["Funciona en Android", "occurrence"]
    ])
    assert.deepStrictEqual(cased("怎样向 Debian 捐款？").filter((name) => /\p{P}/u.test(name)), [])
    assert.deepStrictEqual(cased("佐々"), ["佐々"])
  })

  it("is not a word of ordinary prose", () => {
    assert.deepStrictEqual(
      exactNames("I'm sure, e.g. his/her state-of-the-art plan (i.e. IRAs) isn't Ada's plan."),
      []
    )
  })

  it("comes first where it has the capitals of the query, and counts without them where no text has them", () => {
    const about = (name: string) => `The status of ${name} and the plan for ${name}.`
    const said = [
      "It calls getUserName once, for the record of the whole team.",
      ...Array(5).fill(about("getUsername"))
    ]
    const one = segmentOf(said.map((text, at) => document(at, [text])))
    const first = (query: string) => {
      const hits = search([one], query, { limit: 50 })
      return rerank([one], parseQuery(query), hits, ({ chunk }) => [said[chunk]!])[0]
    }
    assert.strictEqual(first("status of getUserName")?.chunk, 0)
    assert.notStrictEqual(first("status of getUsername")?.chunk, 0)
    const [only] = rerank(
      [one],
      parseQuery("getUserNAME"),
      search([one], "getUserNAME", { limit: 50 }),
      ({ chunk }) => [chunk === 0 ? said[0]! : ""]
    )
    assert.deepStrictEqual([only?.chunk, only?.identifier], [0, true])
  })

  it("is found with other hyphens and soft ones, in full width, and with decomposed accents", () => {
    const found = (query: string, text: string) => {
      const one = segmentOf([
        document(0, [text]),
        ...Array.from({ length: 9 }, (_, at) => document(at + 1, [wordsOf(query).join(" ")]))
      ])
      return search([one], query, { limit: 1 })[0]?.chunk
    }
    assert.strictEqual(found("ABC-123", "It is ABC\u2011123 that was seen by somebody once."), 0)
    assert.strictEqual(found("ABC-123", "これはＡＢＣ－１２３です、昨日の話"), 0)
    assert.strictEqual(found("Ärger_über.txt", "It is A\u0308rger_u\u0308ber.txt that was seen by somebody once."), 0)
    assert.strictEqual(found("ABC-123", "어제 ABC-123을 봤다고 했다"), 0)
    assert.strictEqual(found("getUserName_2", "It is get\u00adUser\u00adName_2 that was seen by somebody once."), 0)
  })

  it("is where it begins in a text with other signs before it than those in which it is compared", () => {
    const signs = [
      "ha\u00adr\u00adbour",
      "Cafe\u0301",
      "\u0130\u0130",
      "한국어".normalize("NFD"),
      "e\ufb03cient \ufb01re",
      "\u2026",
      ""
    ]
    for (const query of ["AB-1234", "ab-1234", "AB\u20101234", "Café-1 AB-1234"]) {
      for (const before of signs) {
        const text = `${before} AB-1234 is ${before}\u3000 AB\u00ad-1234, ${before} (Cafe\u0301-1)`
        const names = exactNames(query)
        const found = new Set<string>()
        new NameFinder(names, [text]).visit(text, (name, start) => found.add(`${names[name]!.plain} ${start}`))
        const expected = [
          `ab-1234 ${text.indexOf("AB-")}`,
          `ab-1234 ${text.indexOf("AB\u00ad")}`,
          ...(query.includes("Café") ? [`café-1 ${text.indexOf("Cafe\u0301-1")}`] : [])
        ]
        assert.includeMembers([...found], expected, `${query} in ${text}`)
      }
    }
  })

  it("may be a phone number, however its digits are grouped", () => {
    for (const query of ["+49 30 901820", "+49-30-901820", "0049 30 90 18 20", "4930901820"]) {
      for (const text of ["call +49 (30) 90 18 20 today or tomorrow", "call 4930901820 today or tomorrow"]) {
        const one = segmentOf([
          document(0, [text]),
          ...Array.from({ length: 9 }, (_, at) => document(at + 1, ["30 901820 49 90 18 20 4930 0049"]))
        ])
        assert.strictEqual(search([one], query, { limit: 1 })[0]?.chunk, 0, `${query} in ${text}`)
      }
    }
  })
})
