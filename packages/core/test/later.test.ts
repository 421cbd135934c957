/** What the answerer makes of questions that were written without a look at what it says to them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../src/Asks.ts"
import * as Bakery from "./support/bakery.ts"
import { filled, service } from "./support/filled.ts"
import * as Household from "./support/household.ts"
import { LATER_ANSWERED, LATER_UNANSWERED } from "./support/laterQuestions.ts"
import * as Observatory from "./support/observatory.ts"
import * as Wiki from "./support/wiki.ts"
import { DOCUMENTS } from "./support/workspace.ts"

const COMPANY = { DOCUMENTS, ANSWERED: LATER_ANSWERED, UNANSWERED: LATER_UNANSWERED }

/** And how many of the first were answered when this was last measured. It may grow. */
const COLLECTIONS = [
  ["a company", COMPANY, 18],
  ["a wiki", Wiki, 15],
  ["a bakery", Bakery, 12],
  ["a household", Household, 12],
  ["an observatory", Observatory, 18]
] as const

layer(service)("questions written later", (it) => {
  for (const [of, { ANSWERED, DOCUMENTS: documents, UNANSWERED }, answered] of COLLECTIONS) {
    it.effect(`about ${of} are answered no less often than before, and never when nobody wrote about it`, () =>
      Effect.gen(function*() {
        const id = yield* filled(documents)
        const asks = yield* Asks
        const ask = (query: string) => asks.ask(id, { query, timezone: "Europe/Berlin" })
        const wrong: Array<string> = []
        for (const [question, says, document] of ANSWERED) {
          const { citations, response } = yield* ask(question)
          const isCited = citations.some(({ entity }) => entity.external_id === document)
          if (!says.test(response) || !isCited) wrong.push(`${question} -> ${response}`)
        }
        assert.isAtLeast(ANSWERED.length - wrong.length, answered, wrong.join("\n"))
        for (const question of UNANSWERED) assert.isFalse((yield* ask(question)).answered, question)
      }))
  }
})
