/** What the answerer makes of questions that were written without a look at what it says to them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Bakery from "./support/bakery.ts"
import * as Clinic from "./support/clinic.ts"
import { filled, service } from "./support/filled.ts"
import * as Hostel from "./support/hostel.ts"
import * as Household from "./support/household.ts"
import { LATER_ANSWERED, LATER_UNANSWERED } from "./support/laterQuestions.ts"
import * as Library from "./support/library.ts"
import * as Near from "./support/nearMisses.ts"
import * as Observatory from "./support/observatory.ts"
import { outcomesOf } from "./support/outcomes.ts"
import * as Theatre from "./support/theatre.ts"
import * as Vendor from "./support/vendor.ts"
import * as Wiki from "./support/wiki.ts"
import { DOCUMENTS } from "./support/workspace.ts"

const COMPANY = { DOCUMENTS, ANSWERED: LATER_ANSWERED, UNANSWERED: LATER_UNANSWERED }

const near = (DOCUMENTS: typeof Clinic.DOCUMENTS, UNANSWERED: ReadonlyArray<string>) => ({
  DOCUMENTS,
  ANSWERED: [] as typeof Clinic.ANSWERED,
  UNANSWERED
})

/**
 * And how many of the first were answered when this was last measured, how many of them wrongly, and how many of the
 * others were answered at all. The first number may grow, the others may fall.
 */
const COLLECTIONS = [
  ["a company", COMPANY, 19, 0, 0],
  ["a wiki", Wiki, 15, 0, 0],
  ["a bakery", Bakery, 12, 1, 0],
  ["a household", Household, 12, 0, 0],
  ["an observatory", Observatory, 18, 1, 0],
  ["a doctors' practice", Clinic, 20, 2, 0],
  ["a vendor", Vendor, 18, 1, 0],
  ["a hostel, in German, French and Spanish", Hostel, 17, 0, 0],
  ["a library", Library, 29, 1, 0],
  ["a theatre", Theatre, 24, 0, 0],
  ["what comes near to a company", near(DOCUMENTS, Near.OF_COMPANY), 0, 0, 1],
  ["what comes near to a bakery", near(Bakery.DOCUMENTS, Near.OF_BAKERY), 0, 0, 0],
  ["what comes near to a household", near(Household.DOCUMENTS, Near.OF_HOUSEHOLD), 0, 0, 2],
  ["what comes near to a doctors' practice", near(Clinic.DOCUMENTS, Near.OF_CLINIC), 0, 0, 0]
] as const

layer(service)("questions written later", (it) => {
  for (const [of, collection, right, wrong, told] of COLLECTIONS) {
    it.effect(`about ${of} are answered no less often than before, and no more of them wrongly`, () =>
      Effect.gen(function*() {
        const outcomes = yield* outcomesOf(yield* filled(collection.DOCUMENTS), collection)
        const missed = [...outcomes.wrong, ...outcomes.refused].join("\n")
        assert.isAtLeast(outcomes.right, right, missed)
        assert.isAtMost(outcomes.wrong.length, wrong, missed)
        assert.isAtMost(outcomes.told.length, told, outcomes.told.join("\n"))
      }))
  }
})
