/** What holds of every answer, whatever is asked. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../src/ask/Asks.ts"
import { Documents } from "../src/ingest/Documents.ts"
import type { Answer } from "../src/model/Ask.ts"
import * as Bakery from "./support/bakery.ts"
import * as Clinic from "./support/clinic.ts"
import { filled, service } from "./support/filled.ts"
import * as Hostel from "./support/hostel.ts"
import * as Household from "./support/household.ts"
import * as Near from "./support/nearMisses.ts"
import * as Observatory from "./support/observatory.ts"
import * as Vendor from "./support/vendor.ts"
import * as Wiki from "./support/wiki.ts"
import { page } from "./support/written.ts"

const OTHERS = [...Near.OF_COMPANY, ...Near.OF_BAKERY, ...Near.OF_HOUSEHOLD]

const COLLECTIONS = [Bakery, Clinic, Hostel, Household, Observatory, Vendor, Wiki].map((
  { ANSWERED, DOCUMENTS, UNANSWERED }
) => ({ documents: DOCUMENTS, questions: [...ANSWERED.map(([question]) => question), ...UNANSWERED, ...OTHERS] }))

const wordsIn = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** The words of the answerer itself, and those of a date: all others stand in what is cited, or were asked. */
const OWN = "yes no ja nein oui non sí at least entry entries document documents match matches and to"

const withoutDates = (text: string): string => text.replaceAll(/\d{1,2} \p{Lu}\p{L}+ \d{4}/gu, " ")

const ofMarkers = ({ response }: Answer): ReadonlyArray<number> =>
  [...response.matchAll(/\[(\d+)\]/gu)].map(([, number]) => Number(number))

layer(service)("every answer", (it) => {
  it.effect("cites what stands word for word in its document, and says nothing else", () =>
    Effect.gen(function*() {
      const asks = yield* Asks
      const documents = yield* Documents
      for (const { documents: written, questions } of COLLECTIONS) {
        const id = yield* filled(written)
        for (const query of questions) {
          const answer = yield* asks.ask(id, { query, timezone: "Europe/Berlin" })
          const known = new Set([...wordsIn(OWN), ...wordsIn(query)])
          for (const { entity } of answer.citations) {
            const { text, title } = yield* documents.find(id, entity.id)
            assert.strictEqual(text.slice(entity.start, entity.end), entity.quote, query)
            assert.isAbove(entity.quote.trim().length, 0, query)
            for (const word of wordsIn(`${title} ${text}`)) known.add(word)
          }
          if (!answer.answered) assert.deepStrictEqual(answer.citations, [], query)
          else {
            assert.deepStrictEqual(ofMarkers(answer), answer.citations.map(({ entity }) => entity.marker), query)
            const said = wordsIn(withoutDates(answer.response.replaceAll(/\[\d+\]/gu, " ")))
            const total = /^(?:At least )?(\d+) (?:entr|document)/u.exec(answer.response)?.[1]
            assert.deepStrictEqual(said.filter((word) => !known.has(word) && word !== total), [], query)
          }
        }
      }
    }))

  it.effect("to where something is spoken of cites the passage, and none where it is spoken of nowhere", () =>
    Effect.gen(function*() {
      const notes = Array.from({ length: 50 }, (_, week) => {
        const text = `We talked about PROJ-${week + 100} and what it takes. Nothing else was decided.`
        return page(`note-${week}`, "2026-03-01T09:00:00Z", `Week ${week}`, text)
      })
      const board = page("board", "2026-03-02T09:00:00Z", "Board", "The board was red. See PROJ-10 for that.")
      const id = yield* filled([...notes, board])
      const asks = yield* Asks
      for (const query of ["Where is PROJ-10 mentioned?", "Which document names PROJ-10?"]) {
        const { citations } = yield* asks.ask(id, { query })
        assert.deepStrictEqual(citations.map(({ entity }) => [entity.title, entity.quote]), [
          ["Board", "See PROJ-10 for that."]
        ])
      }
      assert.isFalse((yield* asks.ask(id, { query: "Where is PROJ-11 mentioned?" })).answered)
    }))

  it.effect("passes over a sentence that says the question over again, but not a row that answers it", () =>
    Effect.gen(function*() {
      const asks = yield* Asks
      const said = "`Who wrote the budget?` is a question that the board answers by the author of the budget."
      const guide = page("guide", "2026-03-01T09:00:00Z", "Guide", said)
      const faq = page(
        "faq",
        "2026-03-02T09:00:00Z",
        "FAQ",
        "| Question | Answer |\n|---|---|\n| Who wrote the budget? | Ada Novak |"
      )
      const query = "Who wrote the budget?"
      assert.isFalse((yield* asks.ask(yield* filled([guide]), { query })).answered)
      const { citations } = yield* asks.ask(yield* filled([guide, faq]), { query })
      assert.deepStrictEqual(citations.map(({ entity }) => entity.title), ["FAQ"])
    }))

  it.effect("to who did something tells of the thing itself, and not of another that stands before", () =>
    Effect.gen(function*() {
      const lines = [
        "- Files below a megabyte are read as a whole. A budget of 512 MB allows for some 500 at most.",
        "- A file that is removed or written anew while it is open is read to its end by whoever has opened it, as Unix has it."
      ]
      const id = yield* filled([page("files", "2026-03-01T09:00:00Z", "Files", lines.join("\n"))])
      assert.isFalse((yield* (yield* Asks).ask(id, { query: "Who wrote the budget?" })).answered)
    }))

  it.effect("is the same to the same question about the same documents", () =>
    Effect.gen(function*() {
      const asks = yield* Asks
      for (const { documents, questions } of COLLECTIONS) {
        const [one, other] = [yield* filled(documents), yield* filled(documents)]
        for (const query of questions.slice(0, 12)) {
          const first = yield* asks.ask(one, { query })
          assert.strictEqual(JSON.stringify(yield* asks.ask(one, { query })), JSON.stringify(first), query)
          assert.strictEqual((yield* asks.ask(other, { query })).response, first.response, query)
        }
      }
    }))
})
