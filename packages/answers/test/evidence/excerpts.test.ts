import { unitsOf } from "@tributary/retrieval"
import { assert, describe, it } from "vitest"
import type { Section } from "../../src/evidence/candidateUnits.ts"
import { excerptsOf, type Limits, textOf } from "../../src/evidence/excerpts.ts"

const LIMITS: Limits = { most: 5, longest: () => 90, total: Infinity, negligible: 0, enough: 1 }

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
  const scored = section.units.flatMap((unit, index) => {
    const key = Object.keys(scores).find((one) => textOf(section, unit).includes(one))
    const score = key === undefined ? undefined : scores[key]
    return score === undefined
      ? []
      : [{ section, unit, index, rank: 0, share: 1, values: [], covered: new Float64Array(), score }]
  })
  return excerptsOf(scored.sort((one, other) => other.score - one.score), { ...LIMITS, ...limits })
    .map((excerpt) => textOf(section, excerpt))
}

const PIER = "The first paragraph is about the pier and what is forbidden there."

const OTHER = "Nobody has asked for these words, which keep others apart."

describe("the excerpts of the units", () => {
  it("begin with the best unit, though others are likelier together", () => {
    const text = `One a.\n\nTwo a.\n\nThree a.\n\n${PIER}\n\nThe best of all the units is this one, on its own.`
    const [first, second] = excerpts(sectionOf(text), { "a.": 2, "best of all": 2.5 })
    assert.include(first!, "The best of all")
    assert.strictEqual(second, "One a.\n\nTwo a.\n\nThree a.")
  })

  it("continue with the likeliest: two good units together precede a slightly better one", () => {
    const alone = "This good unit stands alone, between long ones about all sorts of other things."
    const text =
      `The best of all.\n\n${PIER}\n\n${OTHER}\n\n${alone}\n\n${PIER}\n\n# Gates\n\nNorth gate.\n\n# Hours\n\nSouth gate.`
    const shown = excerpts(sectionOf(text), { "best of all": 3, "stands alone": 1.2, "gate.": 1 })
    assert.deepStrictEqual(shown.slice(1, 3), ["# Gates\n\nNorth gate.\n\n# Hours\n\nSouth gate.", alone])
  })

  it("end where they most probably contain the answer, or at a maximum length", () => {
    const text = Array.from({ length: 9 }, (_, at) => `Unit ${at}. ${PIER}\n\n${PIER}`).join("\n\n")
    const even = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`Unit ${at}`, 1]))
    assert.lengthOf(excerpts(sectionOf(text), even), 5)
    assert.lengthOf(excerpts(sectionOf(text), even, { enough: 0.3 }), 3)
    assert.lengthOf(excerpts(sectionOf(text), { ...even, "Unit 4": 7 }, { enough: 0.9 }), 1)
  })

  it("exceed the maximum only for a single unit", () => {
    const long = `${PIER} ${PIER} ${PIER}`
    const shown = excerpts(sectionOf(`Short.\n\n${OTHER}\n\n${OTHER} ${OTHER}\n\n${long}`), { pier: 1, Short: 0 })
    assert.deepStrictEqual(shown, [long, `Short.\n\n${OTHER}`])
  })

  it("begin and end with units that may contain the answer", () => {
    const section = sectionOf("Before.\n\nA good unit.\n\nBetween.\n\nA fair unit.\n\nAfter.")
    const scores = { Before: -9, good: 3, fair: 1 }
    assert.deepStrictEqual(excerpts(section, scores, { negligible: 0.001 }), [
      "A good unit.\n\nBetween.\n\nA fair unit."
    ])
    assert.deepStrictEqual(excerpts(section, scores), [section.text])
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
