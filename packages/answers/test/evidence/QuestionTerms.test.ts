import { assert, describe, it } from "vitest"
import type { Evidence, EvidencePassage } from "@tributary/core/ports/Answerer"
import { Mask, openSegment, parseQuery, scoringFor, SegmentBuilder, statisticsOf } from "@tributary/retrieval"
import { claimFeatures, probability } from "../../src/claim/claim.ts"
import { COEFFICIENTS } from "../../src/claim/coefficients.ts"
import { within } from "../../src/evidence/Occurrence.ts"
import { QuestionTerms } from "../../src/evidence/QuestionTerms.ts"
import type { Section } from "../../src/evidence/candidateUnits.ts"
import { featuresOf } from "../../src/evidence/features.ts"

const terms = (query: string, known: Readonly<Record<string, number>>) =>
  new QuestionTerms({ query: parseQuery(query), idf: new Map(Object.entries(known)), passageCount: 100, passages: [] })

const whole = (text: string) => ({ start: 0, end: text.length })

const coverageOf = (question: QuestionTerms, text: string): number => question.coverage(question.read(text))

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
  const passages = texts.map((text) => ({ text, document: { title: null } }) as EvidencePassage)
  return new QuestionTerms({ query: scoring.query, idf: scoring.idf, passageCount: texts.length, passages })
}

describe("the words of a question", () => {
  it("match in every form that has the same stem, and in no other", () => {
    const question = terms("Who organises the parade?", { organ: 1, parad: 1 })
    assert.strictEqual(coverageOf(question, "The guild organised parades."), 1)
    assert.strictEqual(coverageOf(question, "Paradise has organists."), 0)
  })

  it("match in British and American spelling", () => {
    const question = terms("Who organises the colours?", { organ: 1, color: 1 })
    assert.strictEqual(coverageOf(question, "The color is organized."), 1)
    assert.strictEqual(coverageOf(question, "The colour is organised."), 1)
    assert.strictEqual(question.absent, 0)
  })

  it("match two words with a hyphen that are one without it", () => {
    const question = termsOver(["Write an e-mail to the harbour master."], "email harbour")
    assert.strictEqual(coverageOf(question, "The harbour answers e-mails."), 1)
    assert.isBelow(coverageOf(question, "The harbour has no mail."), 1)
    assert.strictEqual(question.absent, 0)
  })

  it("match one word that they are with a hyphen", () => {
    const question = termsOver(["Write an email to the harbour master."], "e-mail harbour")
    assert.strictEqual(coverageOf(question, "The harbour answers emails."), 1)
    assert.strictEqual(coverageOf(question, "The harbour answers e-mails."), 1)
    assert.isBelow(coverageOf(question, "The harbour has no letters."), 1)
    assert.strictEqual(question.absent, 0)
  })

  it("count alike in the share of them that a text has", () => {
    const question = terms("harbour master", { harbour: 1, master: 3 })
    assert.strictEqual(question.share(question.read("The harbour is old.")), 0.5)
    assert.strictEqual(question.share(question.read("The master is old.")), 0.5)
    assert.strictEqual(question.share(question.read("The pier is old.")), 0)
  })

  it("weigh nothing beside a name that they are part of, unless the question has no others", () => {
    const texts = ["Ida Ravn keeps seals.", "The harbour is old."]
    const weightOf = (query: string) => {
      const question = termsOver(texts, query)
      return question.weightBesideNames(question.read("Ida Ravn painted the harbour."))
    }
    assert.isAbove(weightOf("old harbour of Ida Ravn"), 0)
    assert.strictEqual(weightOf("old harbour of Ida Ravn"), weightOf("old harbour"))
    assert.isAbove(weightOf("Ida Ravn"), 0)
  })

  it("of a script without spaces count less than as many words if they are pairs of its characters", () => {
    const question = termsOver(["税率は高い。", "年齢はパーセントだ。"], "税率は何パーセント")
    assert.closeTo(question.share(question.read("年齢はパーセントだ。")), 2 / 3, 1e-9)
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
      passageCount: 2,
      passages: []
    })
    assert.closeTo(coverageOf(question, "The harbour."), 0.5, 0.1)
  })

  describe("and its exact names", () => {
    const passageOf = (text: string) => ({ text, document: { title: null } }) as Evidence["passages"][number]
    const named = (query: string, found: ReadonlyArray<string>) =>
      new QuestionTerms({
        query: parseQuery(query),
        idf: new Map([...parseQuery(query).weights.keys()].map((term) => [term, 2])),
        passageCount: 100,
        passages: found.map(passageOf)
      })
    const held = "It is GPT 4 that is meant."
    const similar = "GPT 3.5 and 4 are meant."

    it("count more where all of a name occurs than where only its words do, the fewer passages contain it", () => {
      const rare = named("GPT 4", [held, ...Array.from({ length: 9 }, () => similar)])
      const common = named("GPT 4", [similar, ...Array.from({ length: 9 }, () => held)])
      assert.closeTo(coverageOf(rare, held), 1, 1e-9)
      assert.isBelow(coverageOf(rare, similar), 0.65)
      assert.isAbove(coverageOf(common, similar), 0.9)
    })

    it("are absent with all of their words if no passage contains them, and are keys, codes or numbered", () => {
      assert.closeTo(named("GPT 4", [similar]).absent, 1, 1e-9)
      assert.strictEqual(named("GPT 4", [held, similar]).absent, 0)
      assert.strictEqual(named("Ada King", ["Ada is no King."]).absent, 0)
      assert.strictEqual(named("東京タワー", ["タワーは東京に"]).absent, 0)
      assert.closeTo(named("Harbour Tool 1.2", ["Harbour Tool 1.3"]).absent, 2 / 4, 0.2)
      assert.strictEqual(named("Harbour Tool 1.2", ["Harbour Tool\n\n1.2: faster"]).absent, 0)
      assert.strictEqual(named("the os-none VFS", ["the \"os-none\" VFS"]).absent, 0)
      assert.strictEqual(named("GPT 4", [similar]).share(named("GPT 4", [similar]).read(similar)), 0)
    })
  })

  it("are near each other if a short stretch contains them", () => {
    const question = terms("harbour master", { harbour: 1, master: 1 })
    const far = `The harbour ${"is very old and ".repeat(5)} has a master.`
    const near = "The master of the harbour."
    const proximityIn = (text: string) => question.proximity(question.read(text), 12)
    assert.strictEqual(coverageOf(question, far), 1)
    assert.strictEqual(proximityIn(far), 0.5)
    assert.strictEqual(proximityIn(near), 1)
  })

  it("are matched in any stretch of a text that is read once", () => {
    const question = terms("harbour master", { harbour: 1, master: 1 })
    const text = "The harbour is old. The master is young."
    const half = { start: 20, end: text.length }
    assert.strictEqual(question.coverage(within(question.read(text), half)), 0.5)
  })

  it("are empty if all of them are question words", () => {
    const question = terms("What is it about?", { about: 1 })
    assert.strictEqual(coverageOf(question, "What it is about."), 0)
  })

  it("are read in scripts without spaces, too", () => {
    const question = terms("東京タワーの高さ", { 東京: 1, タワー: 1, 高: 1 })
    assert.isAbove(coverageOf(question, "東京タワーの高さは333メートルです。"), 0.5)
  })

  it("leave out what a search leaves out, and count its pairs of characters together as it does", () => {
    const question = terms("おもちゃの博物館", { おも: 1, もち: 1, ちゃ: 1, 博物: 1, 物館: 1 })
    const [toys, museum, particle] = ["おもちゃ", "博物館", "の"].map((text) => coverageOf(question, text))
    assert.closeTo(toys! / museum!, Math.sqrt(3 / 2), 1e-9)
    assert.closeTo(toys! + museum!, 1, 1e-9)
    assert.strictEqual(particle, 0)
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

describe("the claim that excerpts answer a question", () => {
  const texts = Array.from({ length: 1_000 }, (_, at) => `Room ${at} has ${at % 30 + 4} seats.`)

  const claimedIn = (question: QuestionTerms, text: string, title: string | null, likelihood: number): number => {
    const section = { text, document: { title }, context: "" } as Section
    const candidate = {
      section,
      unit: { ...whole(text), form: "paragraph" as const, headings: [], lead: null },
      share: 1
    }
    const unit = { ...candidate, ...featuresOf(question, candidate), likelihood }
    return probability(claimFeatures(question, [unit], [{ section, ...whole(text), lead: null }]))
  }

  /** The probability if this text is quoted, and holds the answer with this likelihood, if any does. */
  const claimed = (query: string, likelihood: number, text = texts[42]!, corpus = texts): number => {
    return claimedIn(termsOver(corpus, query), text, null, likelihood)
  }

  it("is made if one sentence has all of its words, even if a thousand documents are alike", () => {
    assert.isAbove(claimed("How many seats does room 42 have?", 0.99), COEFFICIENTS.threshold)
  })

  it("is not made if a word of the question occurs nowhere", () => {
    assert.isBelow(claimed("How many seats does room 4711 have?", 0.99), COEFFICIENTS.threshold)
    assert.isBelow(claimed("Who painted room 42?", 0.99), COEFFICIENTS.threshold)
  })

  it("is less probable if the excerpts lack a word, or if others are as likely", () => {
    const query = "How many seats does room 42 have?"
    const certain = claimed(query, 0.99)
    assert.isBelow(claimed(query, 0.99, texts[43]), certain)
    assert.isBelow(claimed(query, 0.2), certain)
  })

  it("is more probable the fewer texts there are that could have the words of the question by chance", () => {
    const [few, many] = [50, 1_000].map((size) => claimed("room 42", 0.99, texts[42], texts.slice(0, size)))
    assert.isAbove(few!, many!)
  })

  it("is not made for a name alone, and is less probable for each word that is missing", () => {
    const painted = "Ida Ravn painted the old harbour."
    const corpus = [painted, "Ida Ravn keeps seals.", "The ferry leaves.", "The wall is high.", ...texts]
    const claims = (query: string, text: string) => claimed(query, 0.99, text, corpus)
    const query = "Did Ida Ravn paint the old harbour?"
    assert.isBelow(claims(query, "Ida Ravn keeps seals."), COEFFICIENTS.threshold)
    assert.isAbove(claims(query, painted), COEFFICIENTS.threshold)
    const missing = ["", " ferry", " ferry wall"].map((words) =>
      claims(`Ida Ravn painted old harbour${words}`, painted)
    )
    assert.isAbove(missing[0]!, missing[1]!)
    assert.isAbove(missing[1]!, missing[2]!)
  })

  it("counts the words of the document's title", () => {
    const question = termsOver(texts, "seats in room 42")
    const claims = ["Room 42", "Room", null].map((title) => claimedIn(question, "It has 46 seats.", title, 0.99))
    assert.isAbove(claims[0]!, claims[1]!)
    assert.isAtLeast(claims[1]!, claims[2]!)
  })

  it("is not made without excerpts", () => {
    assert.isBelow(probability(claimFeatures(termsOver(texts, "room 42"), [], [])), COEFFICIENTS.threshold)
  })
})
