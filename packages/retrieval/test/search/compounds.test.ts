import { assert, describe, it } from "@effect/vitest"
import { possibleParts } from "../../src/search/query/compounds.ts"
import { parseQuery, readIn } from "../../src/search/query/Query.ts"
import { scoringFor, scoringOf } from "../../src/search/scoring.ts"
import { snippet } from "../../src/search/snippet.ts"
import { statisticsOf, sumOf } from "../../src/search/statistics.ts"
import { document, idOf, search, segmentOf } from "../support/segments.ts"

/** Each text with a number of its own, the first from zero. */
const viewOf = (texts: ReadonlyArray<string>) => segmentOf(texts.map((text, at) => document(at, [text])))

const idsOf = (texts: ReadonlyArray<string>, query: string) =>
  search([viewOf(texts)], query).map(({ documentId }) => documentId)

const GERMAN = [
  "Die Verwaltung des Speichers wird in diesem Kapitel erklärt, und sie ist nicht schwer.",
  "Der Speicher ist voll, und das ist nicht gut für die anderen.",
  "Die Verwaltung der Stadt ist am Montag nicht da, und sie ist auch am Dienstag zu.",
  "Die Hinweise für mehr Sicherheit sind in diesem Kapitel, und sie sind nicht lang.",
  "Die Sicherheit ist wichtig, und sie ist nicht teuer.",
  "Das sind die Hinweise für den Fall, dass es nicht geht und der Rechner aus ist."
]

describe("a compound word in a query", () => {
  it("finds texts with its parts, also if letters join them", () => {
    assert.strictEqual(idsOf(GERMAN, "Speicherverwaltung")[0], idOf(0))
    assert.strictEqual(idsOf(GERMAN, "Sicherheitshinweis")[0], idOf(3))
  })

  it("does so in each language that writes compounds as one word", () => {
    const cases = [
      ["kleurprofielen", "De kleur en het profiel van het scherm zijn niet te zien, en dat is het."],
      ["färgprofil", "En profil för varje färg är inte att se, och det är det som den är till för."],
      ["farveprofil", "En profil for hver farve er ikke til at se, og det er det som den er der til."],
      ["fargeprofil", "En profil for hver farge er ikke noe å se på, og det er det som hun ble lei av."]
    ] as const
    for (const [query, text] of cases) {
      assert.deepStrictEqual(idsOf([text, `${text} Nu.`, "Something else."], query).sort(), [idOf(0), idOf(1)], query)
    }
  })

  it("counts more than its parts", () => {
    const often = Array.from({ length: 5 }, () => `${GERMAN[1]} ${GERMAN[2]}`)
    const whole = "Die Speicherverwaltung ist in diesem Kapitel, und das ist nicht lang."
    assert.strictEqual(idsOf([...often, whole], "Speicherverwaltung")[0], idOf(5))
  })

  it("has no parts that are rare or endings, and none if the word itself is the most frequent", () => {
    assert.deepStrictEqual(idsOf(GERMAN.slice(0, 2), "Speicherverwaltung"), [])
    assert.deepStrictEqual(idsOf([...GERMAN, ...GERMAN], "Speicherung").filter((id) => id === idOf(2)), [])
    const known = Array.from({ length: 4 }, () => "Die Speicherverwaltung ist nicht da, und das ist gut.")
    assert.notInclude(idsOf([...known, ...GERMAN], "Speicherverwaltung"), idOf(4 + 2))
  })

  it("has no parts in other languages", () => {
    const texts = ["The disc is over there, and it is not ours.", "A disc that is over the top of the others."]
    assert.deepStrictEqual(idsOf(texts, "discover"), [])
  })

  it("has the same parts if what is searched is read piece by piece", () => {
    const pieces = [viewOf(GERMAN.slice(0, 2)), viewOf(GERMAN.slice(2))]
    const query = parseQuery("Speicherverwaltung")
    const sums = sumOf(pieces.map((piece) => statisticsOf([piece], query)))
    assert.deepStrictEqual(scoringFor(query, sums).query.weights, scoringOf(pieces, query).query.weights)
    assert.strictEqual(scoringOf(pieces, query).query.weights.size, 4)
  })

  it("is highlighted by its parts", () => {
    const view = viewOf(GERMAN)
    const { highlights, text } = snippet(GERMAN[0]!, scoringOf([view], parseQuery("Speicherverwaltung")).query)
    assert.deepStrictEqual(highlights.map(([start, end]) => text.slice(start, end)), ["Verwaltung", "Speichers"])
  })

  it("costs a bounded number of lookups, however long the query is", () => {
    const { languages } = viewOf(GERMAN).segment
    const partsOf = (query: string) => possibleParts(readIn(parseQuery(query), languages)).size
    const numbered = (at: number) => String(at).replaceAll(/[0-9]/g, (digit) => "bcdfghjklm"[Number(digit)]!)
    const words = Array.from({ length: 60 }, (_, at) => `${numbered(1_000_000 * (at + 7))}`.repeat(4).slice(0, 20))
    const [one, most] = [partsOf(words[0]!), partsOf(words.join(" "))]
    assert.isAtLeast(one, 20)
    assert.isAtMost(most, 16 * 26)
    assert.strictEqual(partsOf(words.slice(0, 30).join(" ")), most)
    for (const uncut of ["s".repeat(41), "eberbus", "speicher4verwaltung"]) assert.strictEqual(partsOf(uncut), 0, uncut)
  })
})
