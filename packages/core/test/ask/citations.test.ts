/** Rules for every answer. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { Documents } from "../../src/documents/Documents.ts"
import type { Answer } from "../../src/model/Ask.ts"
import * as Bakery from "../support/bakery.ts"
import * as Clinic from "../support/clinic.ts"
import { filled, service } from "../support/filled.ts"
import * as Hostel from "../support/hostel.ts"
import * as Household from "../support/household.ts"
import * as Near from "../support/nearMisses.ts"
import * as Observatory from "../support/observatory.ts"
import * as Vendor from "../support/vendor.ts"
import * as Wiki from "../support/wiki.ts"

const OTHERS = [...Near.OF_COMPANY, ...Near.OF_BAKERY, ...Near.OF_HOUSEHOLD, ...Near.OF_CLINIC]

/** Every third question in the short form. */
const EACH = extent(3, 1)

const COLLECTIONS = [Bakery, Clinic, Hostel, Household, Observatory, Vendor, Wiki].map((
  { ANSWERED, DOCUMENTS, UNANSWERED }
) => ({
  documents: DOCUMENTS,
  questions: [...ANSWERED.map(([question]) => question), ...UNANSWERED, ...OTHERS].filter((_, at) => at % EACH === 0)
}))

const wordsIn = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const ofMarkers = ({ response }: Answer): ReadonlyArray<number> =>
  [...response.matchAll(/\[(\d+)\]/gu)].map(([, number]) => Number(number))

layer(service)("every answer", (it) => {
  it.effect("cites text that is verbatim in its document, and nothing else", () =>
    Effect.gen(function*() {
      const asks = yield* Asks
      const documents = yield* Documents
      for (const { documents: written, questions } of COLLECTIONS) {
        const id = yield* filled(written)
        for (const query of questions) {
          const answer = yield* asks.ask(id, { query, timezone: "Europe/Berlin" })
          const known = new Set<string>()
          for (const { entity } of answer.citations) {
            const { text } = yield* documents.find(id, entity.id)
            assert.strictEqual(text.slice(entity.start, entity.end), entity.quote, query)
            assert.isAbove(entity.quote.trim().length, 0, query)
            for (const word of wordsIn(entity.quote)) known.add(word)
          }
          for (const { entity } of answer.related ?? []) {
            const { text } = yield* documents.find(id, entity.id)
            assert.deepStrictEqual([text.slice(entity.start, entity.end), entity.marker], [entity.quote, null], query)
          }
          if (!answer.answered) assert.deepStrictEqual(answer.citations, [], query)
          else {
            const markers = answer.citations.map(({ entity }) => entity.marker)
            assert.deepStrictEqual([...new Set<number | null>(ofMarkers(answer))], markers, query)
            const said = wordsIn(answer.response.replaceAll(/\[\d+\]/gu, " "))
            assert.deepStrictEqual(said.filter((word) => !known.has(word)), [], query)
          }
        }
      }
    }))

  it.effect("is the same for the same question and documents", () =>
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
