import { assert, describe, it } from "@effect/vitest"
import { decodeLength, encodeLength } from "../../src/segment/bytes/lengths.ts"
import { parseQuery } from "../../src/search/query/Query.ts"

describe("a query", () => {
  it.each([
    ["Woran liegt es, dass man das Archiv nicht öffnen darf?", ["liegt", "Archiv", "öffnen"]],
    ["Comment peut-on ouvrir les archives ?", ["ouvrir", "archives"]],
    ["Quando posso aprire il registro?", ["aprire", "registro"]],
    ["Waarom mag ik het archief niet openen?", ["archief", "openen"]],
    ["Hvornår kan jeg åbne et arkiv?", ["åbne", "arkiv"]],
    ["Сколько дней нужно хранить архив?", ["дней", "хранить", "архив"]],
    ["カーネルを更新する利点は何ですか?", ["カー", "ーネ", "ネル", "更新", "利点"]]
  ])("drops the question words of its language: %s", (text, words) => {
    assert.deepStrictEqual(parseQuery(text).words, words)
  })

  it("drops question words and stop words, unless there is nothing else", () => {
    assert.deepStrictEqual(parseQuery("What is the budget of Berlin?").readings[0]!.terms, ["budget", "berlin"])
    assert.deepStrictEqual(parseQuery("Why doesn't it print, or wouldn\u2019t it?").readings[0]!.terms, ["print"])
    assert.deepStrictEqual(parseQuery("to be or not to be").readings[0]!.terms, ["to", "be", "or", "not", "to", "be"])
  })

  it("keeps how old something is, which an answer says in the same word, but not how long", () => {
    assert.deepStrictEqual(parseQuery("How old must a driver be?").words, ["old", "driver"])
    assert.deepStrictEqual(parseQuery("How long must a driver wait?").words, ["driver", "wait"])
  })

  it("counts a word as often as it occurs", () => {
    assert.deepStrictEqual([...parseQuery("plan plans Budget PLAN").weights], [["plan", 3], ["budget", 1]])
  })

  it("is read in British and American spelling, as one word", () => {
    const { others, readings, weights } = parseQuery("Organised colour catalog")
    assert.deepStrictEqual(readings.map(({ terms }) => terms), [
      ["organis", "colour", "catalog"],
      ["organis", "colour", "catalogu"],
      ["organ", "color", "catalog"]
    ])
    assert.deepStrictEqual(others.get("colour"), ["color"])
    assert.strictEqual(weights.get("color"), 1)
    assert.lengthOf(parseQuery("the pier of the harbor master").readings, 2)
    assert.lengthOf(parseQuery("the pier is closed in winter").readings, 1)
  })

  it("keeps short words of Hiragana if there is nothing else, and the parts of longer ones", () => {
    assert.deepStrictEqual(parseQuery("すし").words, ["すし"])
    assert.deepStrictEqual(parseQuery("おもちゃの博物館").words.slice(0, 3), ["おも", "もち", "ちゃ"])
  })

  it("counts the pairs of characters of a longer word together as the root of their number", () => {
    const { weights } = parseQuery("東京 データベース")
    assert.deepStrictEqual([...weights.keys()], ["東京", "デー", "ータ", "タベ", "ベー", "ース"])
    const [whole, ...pairs] = weights.values()
    assert.strictEqual(whole, 1)
    for (const pair of pairs) assert.strictEqual(pair, 1 / Math.sqrt(5))
  })

  it("recognizes phrases in straight and curly quotes, with all their words", () => {
    assert.deepStrictEqual(parseQuery("\"state of the art\" and \u201cbig plans\u201d").readings[0]!.phrases, [
      ["state", "of", "the", "art"],
      ["big", "plan"]
    ])
    for (const text of ["\"plan\"", "\"plan", "\u201cplan b", "\"\" \"\""]) {
      assert.deepStrictEqual(parseQuery(text).readings[0]!.phrases, [], text)
    }
  })
})

describe("a length in one byte", () => {
  it("is exact for short texts, close for long ones, and monotonic", () => {
    let last = 0
    for (let words = 0; words < 60_000; words++) {
      const length = decodeLength(encodeLength(words))
      // An assertion of each would take seconds.
      const isClose = words <= 40 ? length === words : Math.abs(length - words) <= 1 + words * 0.018
      if (!isClose || length < last) assert.fail(`${length} for ${words}, after ${last}`)
      last = length
    }
    assert.strictEqual(encodeLength(10_000_000), 255)
  })
})
