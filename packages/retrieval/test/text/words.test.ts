import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { MAX_WORD, termOf, visitWords, wordsOf } from "../../src/text/words.ts"
import { Text } from "../support/texts.ts"

const termsOf = (text: string) => wordsOf(text).map(termOf)

describe("words", () => {
  it("are runs of letters and digits", () => {
    assert.deepStrictEqual(wordsOf("  Meet Ada, at 10:30 (room B2)!"), ["Meet", "Ada", "at", "10", "30", "room", "B2"])
    assert.deepStrictEqual(wordsOf(""), [])
    assert.deepStrictEqual(wordsOf(" \n\t-- \u0000 ..."), [])
    assert.deepStrictEqual(wordsOf("a\u0000b"), ["a", "b"])
  })

  it("omit the s of a possessive, straight or curly", () => {
    assert.deepStrictEqual(wordsOf("Ada's and Grace\u2019s plans, in S's class"), [
      "Ada",
      "and",
      "Grace",
      "plans",
      "in",
      "S",
      "class"
    ])
    assert.deepStrictEqual(wordsOf("plan s 'quoted' s"), ["plan", "s", "quoted", "s"])
  })

  it("may be emoji, and are separated by them and by typographic signs", () => {
    assert.deepStrictEqual(wordsOf("ship🚀it\u2014now\u2026or👨‍👩‍👧never ©"), [
      "ship",
      "🚀",
      "it",
      "now",
      "or",
      "👨‍👩‍👧",
      "never"
    ])
    assert.deepStrictEqual(termsOf("👍🏽 ❤️"), termsOf("👍 ❤"))
  })

  it("of emoji are the longest sequences that there are, however others join them", () => {
    const sequences = ["👨‍👩‍👧", "👩🏽‍🚀", "👩🏻‍❤️‍💋‍👩🏼", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "☺️", "❤", "🐻‍❄️", "👍🏿"]
    assert.deepStrictEqual(wordsOf(sequences.join("")), sequences)
    assert.deepStrictEqual(wordsOf("🇩🇪🇫‍👍‍🚗️🏽☺"), ["🇩🇪", "🇫", "👍", "🚗️", "🏽"])
    // More of them than are remembered.
    const all = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x1f400 + at % 64, 0x1f3fb + at % 5))
    assert.deepStrictEqual(wordsOf(`${all.join("\u200d")} 🚗`).at(-1), "🚗")
  })

  it("are found in scripts without spaces", () => {
    assert.deepStrictEqual(wordsOf("我们明天开会"), ["我们", "明天", "开会"])
    assert.isTrue(wordsOf("会議は東京で行われます。").includes("東京"))
    assert.deepStrictEqual(wordsOf("東京タワー前"), ["東京", "タワ", "ワー", "前"])
    assert.isTrue(wordsOf("ฉันรักประเทศไทย").includes("ประเทศไทย"))
    assert.deepStrictEqual(wordsOf("漢字report漢字").filter((word) => word === "report"), ["report"])
  })

  it("of a script without spaces are the same wherever a long text is split", () => {
    for (const lead of ["", "我"]) {
      const words = wordsOf(lead + "明天".repeat(2_000))
      assert.strictEqual(words.filter((word) => word === "明天").length, 2_000)
    }
  })

  it.prop("are the same whether their surroundings are ASCII or not, at any length", [Text], ([text]) => {
    const plain = text.replaceAll(/[^\x00-\x7f]/gu, "'s ")
    const words = wordsOf(plain)
    assert.deepStrictEqual(wordsOf(`${plain}\u00b7`), words)
    assert.deepStrictEqual(wordsOf(plain + ".".repeat(20_000)), words)
  })

  it("may be visited while those of another text are", () => {
    const words: Array<string> = []
    visitWords("one two", (start, end) => words.push("one two".slice(start, end), ...wordsOf("three four")))
    assert.deepStrictEqual(words, ["one", "three", "four", "two", "three", "four"])
  })

  it("are found in one piece where soft hyphens say how they may be broken", () => {
    assert.deepStrictEqual(wordsOf("Sil\u00adben\u00adtren\u00adnung, \u00adand more"), [
      "Sil\u00adben\u00adtren\u00adnung",
      "and",
      "more"
    ])
    assert.deepStrictEqual(
      termsOf("gar\u00addening g\u00adardening stra\u00ad\u00dfe"),
      termsOf("gardening gardening stra\u00dfe")
    )
  })

  it("end at their last mark and never start with one", () => {
    assert.deepStrictEqual(wordsOf("cafe\u0301 \u0301\u0301 x"), ["cafe\u0301", "x"])
  })

  it("have a maximum length; longer runs are data", () => {
    const longest = "a".repeat(MAX_WORD)
    assert.deepStrictEqual(wordsOf(`${longest} ${longest}a b`), [longest, "b"])
    assert.deepStrictEqual(wordsOf(`${"한".repeat(1_000_000)} b`), ["b"])
    assert.deepStrictEqual(wordsOf(`${"é".repeat(MAX_WORD + 1)} b`), ["b"])
  })

  it.prop("are in order, are not empty, and never split a surrogate pair", [Text], ([text]) => {
    let last = -1
    visitWords(text, (start, end) => {
      assert.isTrue(start > last && end > start && end <= text.length)
      assert.isTrue(text.slice(start, end).isWellFormed())
      last = start
    })
  }, { arbitrary: { runs: 500 } })
})

describe("the term of a word", () => {
  it("is the same for any case and accents, composed or not", () => {
    for (const word of ["café", "CAFE", "Cafe\u0301", "CAFÉ"]) assert.deepStrictEqual(termsOf(word), ["cafe"], word)
    assert.deepStrictEqual(termsOf("Straße ÆON Łódź İstanbul ﬁle"), termsOf("strasse aeon lodz istanbul file"))
    assert.deepStrictEqual(termsOf("ΑΘΉΝΑ"), termsOf("αθηνα"))
  })

  it("distinguishes marks in other scripts", () => {
    assert.notStrictEqual(termOf("が"), termOf("か"))
    assert.notStrictEqual(termOf("की"), termOf("का"))
    assert.deepStrictEqual(termsOf("한국어"), termsOf("한국어".normalize("NFD")))
  })

  it("is a stem for English, and the whole word if it has digits", () => {
    assert.deepStrictEqual(termsOf("Meetings planned in Q3s"), ["meet", "plan", "in", "q3s"])
  })

  it.prop("is not empty and deterministic", [Schema.String], ([text]) => {
    for (const word of wordsOf(text)) {
      assert.isAbove(termOf(word).length, 0)
      assert.strictEqual(termOf(word), termOf(word))
    }
  }, { arbitrary: { runs: 300 } })
})
