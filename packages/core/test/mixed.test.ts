/** What the answerer makes of the questions of all collections where one workspace holds them all, among much else. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { filled, service } from "./support/filled.ts"
import { DOCUMENTS, QUESTIONS } from "./support/mixed.ts"
import { outcomesOf } from "./support/outcomes.ts"

/** As in `later.test.ts`: the first number may grow, the others may fall. */
const MEASURED = [
  ["the older collections", QUESTIONS.older, 203, 4, 3],
  ["a library", QUESTIONS.library, 29, 1, 0],
  ["a theatre", QUESTIONS.theatre, 24, 0, 1]
] as const

layer(service)("questions to a workspace that holds everything", (it) => {
  it.effect("are answered no less often than before, and no more of them wrongly", () =>
    Effect.gen(function*() {
      const id = yield* filled(DOCUMENTS)
      assert.isAtLeast(DOCUMENTS.length, 400)
      for (const [of, questions, right, wrong, told] of MEASURED) {
        const outcomes = yield* outcomesOf(id, questions)
        const missed = [of, ...outcomes.wrong, ...outcomes.refused].join("\n")
        assert.isAtLeast(outcomes.right, right, missed)
        assert.isAtMost(outcomes.wrong.length, wrong, missed)
        assert.isAtMost(outcomes.told.length, told, [of, ...outcomes.told].join("\n"))
      }
    }), 120_000)
})
