/** All collections in one workspace, among much else. */
import * as Bakery from "./bakery.ts"
import * as Clinic from "./clinic.ts"
import { DISTRACTIONS } from "./distractions.ts"
import * as Hostel from "./hostel.ts"
import * as Household from "./household.ts"
import { LATER_ANSWERED, LATER_UNANSWERED } from "./laterQuestions.ts"
import * as Library from "./library.ts"
import * as Near from "./nearMisses.ts"
import * as Observatory from "./observatory.ts"
import type { Collection } from "./outcomes.ts"
import * as Company from "./questions.ts"
import * as Theatre from "./theatre.ts"
import * as Vendor from "./vendor.ts"
import * as Wiki from "./wiki.ts"
import { DOCUMENTS as OF_COMPANY } from "./workspace.ts"

/** What several collections tell, so that the answer of one is no longer the answer. */
const OF_SEVERAL: ReadonlySet<string> = new Set([
  "Where is the fire drill?",
  "How many issues are open?",
  "How many of our issues are closed?",
  "How many tickets are open?",
  "How many incidents were there in March?"
])

const NEAR = [...Near.OF_COMPANY, ...Near.OF_BAKERY, ...Near.OF_HOUSEHOLD, ...Near.OF_CLINIC]

const OLDER: ReadonlyArray<readonly [name: string, Collection]> = [
  ["company", {
    DOCUMENTS: OF_COMPANY,
    ANSWERED: [...Company.ANSWERED, ...LATER_ANSWERED],
    UNANSWERED: [...Company.UNANSWERED, ...LATER_UNANSWERED, ...NEAR]
  }],
  ["wiki", Wiki],
  ["bakery", Bakery],
  ["household", Household],
  ["observatory", Observatory],
  ["clinic", Clinic],
  ["vendor", Vendor],
  ["hostel", Hostel]
]

/** Collections may use the same id. */
const idOf = (name: string, id: string): string => `${name}/${id}`

const together = (collections: ReadonlyArray<readonly [name: string, Collection]>): Collection => ({
  DOCUMENTS: collections.flatMap(([name, { DOCUMENTS }]) =>
    DOCUMENTS.map((document) => ({ ...document, external_id: idOf(name, document.external_id) }))
  ),
  ANSWERED: collections.flatMap(([name, { ANSWERED }]) =>
    ANSWERED.filter(([question]) => !OF_SEVERAL.has(question))
      .map(([question, says, document]) => [question, says, idOf(name, document)] as const)
  ),
  UNANSWERED: collections.flatMap(([, { UNANSWERED }]) => UNANSWERED)
})

export const QUESTIONS = {
  older: together(OLDER),
  library: together([["library", Library]]),
  theatre: together([["theatre", Theatre]])
}

export const DOCUMENTS = [...Object.values(QUESTIONS).flatMap(({ DOCUMENTS }) => DOCUMENTS), ...DISTRACTIONS]
