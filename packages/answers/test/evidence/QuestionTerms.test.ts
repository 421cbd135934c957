import { assert, describe, it } from "vitest"
import { Mask, openSegment, parseQuery, scoringFor, SegmentBuilder, statisticsOf } from "@tributary/retrieval"
import { likeness } from "../../src/evidence/nearForms.ts"
import { claimFeatures, probability } from "../../src/claim/claim.ts"
import { COEFFICIENTS } from "../../src/claim/coefficients.ts"
import { QuestionTerms } from "../../src/evidence/QuestionTerms.ts"
import type { ScoredUnit } from "../../src/evidence/scoredUnits.ts"

const terms = (query: string, known: Readonly<Record<string, number>>) =>
  new QuestionTerms({ query: parseQuery(query), idf: new Map(Object.entries(known)), passageCount: 100 })

const whole = (text: string) => ({ start: 0, end: text.length })

const matchesIn = (question: QuestionTerms, text: string) => question.read(text).matches(whole(text))

const coverageOf = (question: QuestionTerms, text: string): number => question.coverage(matchesIn(question, text))

/** As a search over these texts reads the question. */
const termsOver = (texts: ReadonlyArray<string>, query: string): QuestionTerms => {
  const builder = new SegmentBuilder()
  texts.forEach((text, at) =>
    builder.add({
      id: `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`,
      version: 1,
      title: "",
      chunks: [text],
      tags: [],
      from: 0,
      to: 0
    })
  )
  const segment = openSegment(builder.build())
  const scoring = scoringFor(parseQuery(query), statisticsOf([{ segment, mask: new Mask(segment) }], parseQuery(query)))
  return new QuestionTerms({ query: scoring.query, idf: scoring.idf, passageCount: texts.length })
}

describe("the similarity of two terms", () => {
  it("is highest for equal ones, and lower for other forms", () => {
    assert.strictEqual(likeness("harbour", "harbour"), 1)
    assert.strictEqual(likeness("organis", "organiz"), 0.7)
    assert.strictEqual(likeness("versicher", "versichert"), 0.7)
  })

  it("is zero for short and for unrelated ones", () => {
    for (const [one, other] of [["cat", "cats"], ["port", "harbour"], ["", "a"], ["thread", "multithread"]] as const) {
      assert.strictEqual(likeness(one, other), 0, `${one} ${other}`)
    }
  })

  it("does not depend on their order", () => {
    for (const [one, other] of [["organis", "organiz"], ["harbuor", "harbour"], ["a", "abcdef"]] as const) {
      assert.strictEqual(likeness(one, other), likeness(other, one))
    }
  })
})

describe("the words of a question", () => {
  it("count once if they are read as several pairs of characters", () => {
    const informationOf = (query: string) => {
      const known = Object.fromEntries([...parseQuery(query).weights.keys()].map((term) => [term, 3]))
      const question = terms(query, known)
      return question.information(matchesIn(question, query))
    }
    assert.isAbove(parseQuery("コマンド").words.length, 1)
    assert.approximately(informationOf("コマンド"), informationOf("harbour"), 1e-9)
  })

  it("have weights by rarity, the highest for a word that the context lacks", () => {
    const question = terms("harbour master", { harbour: 1, master: 3 })
    const [common, rare] = ["The harbour is old.", "The master is old."].map((text) => coverageOf(question, text))
    assert.isBelow(common!, rare!)
    assert.closeTo(common! + rare!, 1, 1e-9)
    assert.strictEqual(question.absent, 0)
    assert.isAbove(terms("harbour zebra", { harbour: 3 }).absent, 0.5)
  })

  it("have similar weights in few passages, where rarity is uncertain", () => {
    const question = new QuestionTerms({
      query: parseQuery("harbour master"),
      idf: new Map([["harbour", 0.18], ["master", 0.69]]),
      passageCount: 2
    })
    assert.closeTo(coverageOf(question, "The harbour."), 0.5, 0.1)
  })

  it("are near each other if a short stretch contains them", () => {
    const question = terms("harbour master", { harbour: 1, master: 1 })
    const far = `The harbour ${"is very old and ".repeat(5)} has a master.`
    const near = "The master of the harbour."
    const proximityIn = (text: string) => question.proximity(question.read(text).within(whole(text)), 12)
    assert.strictEqual(coverageOf(question, far), 1)
    assert.strictEqual(proximityIn(far), 0.5)
    assert.strictEqual(proximityIn(near), 1)
  })

  it("are matched in any stretch of a text that is read once", () => {
    const question = terms("harbour master", { harbour: 1, master: 1 })
    const text = "The harbour is old. The master is young."
    const reading = question.read(text)
    const half = { start: 20, end: text.length }
    assert.strictEqual(question.coverage(reading.matches(half)), 0.5)
  })

  it("are empty if all of them are question words", () => {
    const question = terms("What is it about?", { about: 1 })
    assert.strictEqual(coverageOf(question, "What it is about."), 0)
  })

  it("are read in scripts without spaces, too", () => {
    const question = terms("東京タワーの高さ", { 東京: 1, タワー: 1, 高: 1 })
    assert.isAbove(coverageOf(question, "東京タワーの高さは333メートルです。"), 0.5)
  })

  it("are read in the languages of the documents", () => {
    const german = "Für einen Hund ist eine Gebühr von vierzig Euro zu zahlen, die das Amt erhebt."
    const french = "Le bureau est fermé le lundi, et pour les réclamations il faut une lettre."
    const japanese = "東京タワーの高さは333メートルです。"
    const texts = [german, french, japanese, "The pier is closed in winter, and it is not lit."]
    const cases = [
      ["Welche Gebühren sind für Hunde zu zahlen?", german],
      ["Quels bureaux sont fermés le lundi ?", french],
      ["東京タワーの高さ", japanese]
    ] as const
    for (const [query, text] of cases) {
      const question = termsOver(texts, query)
      for (const other of texts) {
        if (other === text) assert.closeTo(coverageOf(question, other), 1, 1e-9, query)
        else assert.isBelow(coverageOf(question, other), 0.1, `${query} ${other}`)
      }
    }
  })
})

describe("the claim that a unit answers a question", () => {
  const texts = Array.from({ length: 1_000 }, (_, at) => `Room ${at} has ${at % 30 + 4} seats.`)

  const isClaimed = (query: string): boolean => {
    const terms = termsOver(texts, query)
    const [text] = texts.slice(42)
    const reading = terms.read(text!)
    const proximity = terms.proximity(reading.within(whole(text!)), 12)
    const best = { covered: reading.matches(whole(text!)), values: [1, 0, proximity] } as unknown as ScoredUnit
    return probability(claimFeatures(terms, [best])) >= COEFFICIENTS.threshold
  }

  it("is made if one sentence covers all of it, even if a thousand documents are alike", () => {
    assert.isTrue(isClaimed("How many seats does room 42 have?"))
  })

  it("is not made if a word of the question occurs nowhere", () => {
    assert.isFalse(isClaimed("How many seats does room 4711 have?"))
    assert.isFalse(isClaimed("Who painted room 42?"))
  })
})
