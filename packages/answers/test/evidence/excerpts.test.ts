import { unitsOf } from "@tributary/retrieval"
import { assert, describe, it } from "vitest"
import type { Section } from "../../src/evidence/candidateUnits.ts"
import { excerptsOf, type Limits, textOf } from "../../src/evidence/excerpts.ts"
import { rankUnits } from "../../src/evidence/scoredUnits.ts"

const LIMITS: Limits = { most: 5, longest: () => 90, gap: 0, total: Infinity, beginning: 0, enough: 1 }

const sectionOf = (text: string): Section => ({
  document: { title: "Guide" } as unknown as Section["document"],
  text,
  start: 0,
  context: "",
  units: unitsOf(text),
  version: { document_id: "0199a000-0000-7000-8000-000000000001" as never, change_seq: 1 }
})

/** Units that hold the text of a key have its score; all others are no candidates. */
const excerpts = (section: Section, scores: Readonly<Record<string, number>>, limits: Partial<Limits> = {}) => {
  const candidates = section.units.flatMap((unit) => {
    const key = Object.keys(scores).find((one) => textOf(section, unit).includes(one))
    return key === undefined
      ? []
      : [{ section, unit, share: 1, values: [scores[key]!], covered: 1, weight: 0 }]
  })
  return excerptsOf(rankUnits(candidates, { units: [1] }), { ...LIMITS, ...limits })
    .map((excerpt) => textOf(section, excerpt))
}

const PIER = "The first paragraph is about the pier and what is forbidden there."

const OTHER = "Nobody has asked for these words, which keep others apart."

describe("the excerpts of the units", () => {
  it("are the likeliest first: two good units together precede a slightly better one", () => {
    const alone = "This good unit stands alone, between long ones about all sorts of other things."
    const text = `${alone}\n\n${PIER}\n\n# Gates\n\nNorth gate.\n\n# Hours\n\nSouth gate.`
    const shown = excerpts(sectionOf(text), { "stands alone": 1.2, "North gate": 1, "South gate": 1.1 })
    assert.deepStrictEqual(shown, ["# Gates\n\nNorth gate.\n\n# Hours\n\nSouth gate.", alone])
  })

  it("end where they most probably contain the answer, or at a maximum length", () => {
    const text = Array.from({ length: 9 }, (_, at) => `Unit ${at}. ${PIER}\n\n${PIER}`).join("\n\n")
    const even = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`Unit ${at}`, 1]))
    assert.lengthOf(excerpts(sectionOf(text), even), 5)
    assert.lengthOf(excerpts(sectionOf(text), even, { enough: 0.3 }), 3)
    assert.lengthOf(excerpts(sectionOf(text), { ...even, "Unit 4": 7 }, { enough: 0.9 }), 1)
  })

  it("begin with a unit that is about as likely as what follows it, not with the text before", () => {
    const text = `${OTHER}\n\n${PIER}\n\nWhat follows the pier.`
    const scores = { Nobody: 0, pier: 3 }
    const limits = { longest: () => 200, most: 1, enough: 0.9 }
    assert.deepStrictEqual(excerpts(sectionOf(text), scores, limits), [text])
    const [shown] = excerpts(sectionOf(text), scores, { ...limits, beginning: 0.25 })
    assert.strictEqual(shown, text.slice(text.indexOf(PIER)))
  })

  it("do not end with a line that introduces what is too long for them", () => {
    const text = `${PIER}\n\nHere is all that is forbidden:\n\n- ${PIER.repeat(12)}`
    const [shown] = excerpts(sectionOf(text), { pier: 1 }, { longest: () => 150, most: 1, enough: 0.1 })
    assert.strictEqual(shown, PIER)
  })

  it("leave out nothing short between two of them", () => {
    const text = [
      PIER,
      OTHER,
      PIER.replace("first", "last"),
      `${OTHER} ${OTHER} ${OTHER} ${OTHER}`,
      "The end of the pier."
    ]
      .join("\n\n")
    const [first, ...others] = excerpts(sectionOf(text), { pier: 1 }, { gap: 70 })
    assert.strictEqual(first, text.slice(0, text.indexOf(`\n\n${OTHER} `)))
    assert.deepStrictEqual(others, ["The end of the pier."])
  })

  it("exceed the maximum only for a single unit", () => {
    const long = `${PIER} ${PIER} ${PIER}`
    const shown = excerpts(sectionOf(`Short.\n\n${OTHER}\n\n${OTHER} ${OTHER}\n\n${long}`), { pier: 1, Short: 0 })
    assert.deepStrictEqual(shown, [long, `Short.\n\n${OTHER}`])
  })

  it("are one excerpt where they are adjacent, and grow when there are enough of them", () => {
    const text = Array.from({ length: 6 }, (_, at) => `Unit ${at}. ${PIER}`).join("\n\n")
    const even = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`Unit ${at}`, 1]))
    assert.deepStrictEqual(excerpts(sectionOf(text), even, { most: 1 }), [text])
    const [first, ...others] = excerpts(sectionOf(text), even, { most: 1, total: 200 })
    assert.strictEqual(first, text.split("\n\n").slice(0, 3).join("\n\n"))
    assert.deepStrictEqual(others, [])
  })
})
