import { assert, describe, it } from "@effect/vitest"
import { parseQuery } from "../../src/search/query/Query.ts"
import { scoringOf } from "../../src/search/scoring.ts"
import { snippet } from "../../src/search/snippet.ts"
import { document, idOf, search, segmentOf } from "../support/segments.ts"

const viewOf = (texts: ReadonlyArray<string>) => segmentOf(texts.map((text, at) => document(at, [text])))

const foundIn = (texts: ReadonlyArray<string>, query: string) =>
  search([viewOf(texts)], query).map(({ documentId }) => documentId)

const MAILS = [
  "Change the e-mail of your account here.",
  "Your emails are read at night.",
  "Here is the E\u2011Mail, in capitals.",
  "It was an e-\nmail to all.",
  "  It was an e\u2010\n  mail to all.",
  "The letter E is on the mailbox."
]

describe("two words with a hyphen", () => {
  it("are found as one, and are found by it", () => {
    assert.deepStrictEqual(foundIn(MAILS, "email").sort(), [idOf(0), idOf(1), idOf(2), idOf(3), idOf(4)])
    assert.include(foundIn(MAILS, "e-mails"), idOf(1))
    assert.deepStrictEqual(foundIn(["Wir lesen jede E-Mail-Adresse, und das ist gut."], "mailadresse"), [idOf(0)])
  })

  it("are no rarer as one than in either spelling", () => {
    const { idf } = scoringOf([viewOf([...MAILS, "Something else."])], parseQuery("email"))
    assert.strictEqual(new Set(idf.values()).size, 1)
  })

  it("count as before where no text has them as one", () => {
    const view = [viewOf(["A hidden-line picture.", "The hidden line."])]
    assert.deepStrictEqual([...scoringOf(view, parseQuery("hidden-line")).query.weights.keys()], ["hidden", "line"])
  })

  it("with a digit are a name, and as one another name", () => {
    assert.deepStrictEqual(foundIn(["Take B2-x or x-2b."], "bx x2b"), [])
  })

  it("are highlighted together", () => {
    const { query } = scoringOf([viewOf(MAILS)], parseQuery("email"))
    const { highlights, text } = snippet(`No mail, but an ${MAILS[0]} An email.`, query)
    assert.deepStrictEqual(highlights.map(([start, end]) => text.slice(start, end)), ["e-mail", "email"])
  })
})

describe("the characters of a word that the segmenter does not know", () => {
  it("count more together than apart", () => {
    const apart = Array.from({ length: 9 }, () => "信在这里，微在那里。信和微，微和信。")
    const together = "我们可以用微信付款，明天开会的时候再说，请大家提前准备好材料。"
    assert.strictEqual(foundIn([...apart, together], "微信")[0], idOf(9))
  })
})
