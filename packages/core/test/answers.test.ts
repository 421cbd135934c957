/** How well questions about a small company's data are answered, without a language model. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../src/ask/Asks.ts"
import type { Answer } from "../src/model/Ask.ts"
import type { WorkspaceId } from "../src/model/Id.ts"
import { filled, service } from "./support/filled.ts"
import { ANSWERED, UNANSWERED } from "./support/questions.ts"
import { DOCUMENTS } from "./support/workspace.ts"

const ask = Effect.fnUntraced(function*(id: WorkspaceId, query: string, more: object = {}) {
  return yield* (yield* Asks).ask(id, { query, timezone: "Europe/Berlin", ...more })
})

const cited = ({ citations }: Answer) => citations.map(({ entity }) => entity.external_id)

layer(service)("a question about a workspace", (it) => {
  it.effect("is answered by what was asked for, from the document that says it", () =>
    Effect.gen(function*() {
      const id = yield* filled(DOCUMENTS)
      const wrong: Array<string> = []
      assert.isAtLeast(ANSWERED.length + UNANSWERED.length, 60)
      for (const [question, says, document] of ANSWERED) {
        const answer = yield* ask(id, question)
        if (!says.test(answer.response) || cited(answer)[0] !== document) {
          wrong.push(`${question} -> ${answer.response} ${cited(answer).join(" ")}`)
        }
      }
      assert.deepStrictEqual(wrong, [])
    }))

  it.effect("is not answered when nobody wrote about it", () =>
    Effect.gen(function*() {
      const id = yield* filled(DOCUMENTS)
      const wrong: Array<string> = []
      for (const question of UNANSWERED) {
        const answer = yield* ask(id, question)
        if (answer.answered) wrong.push(`${question} -> ${answer.response}`)
      }
      assert.deepStrictEqual(wrong, [])
    }))
})
