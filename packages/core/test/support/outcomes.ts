/** What becomes of the questions of a collection in a workspace. */
import { Effect } from "effect"
import { Asks } from "../../src/ask/Asks.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import type { Written } from "./written.ts"

export interface Collection {
  readonly DOCUMENTS: ReadonlyArray<Written>
  /** A question, what its answer says, and by which document, which need not be the first. */
  readonly ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]>
  /** Questions that nothing answers. */
  readonly UNANSWERED: ReadonlyArray<string>
}

/** Of those that something answers how many are, which wrongly and which not at all; and which of the others are. */
export const outcomesOf = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, { ANSWERED, UNANSWERED }: Omit<Collection, "DOCUMENTS">) {
    const asks = yield* Asks
    const ask = (query: string) => asks.ask(workspaceId, { query, timezone: "Europe/Berlin" })
    const outcomes = { right: 0, wrong: [] as Array<string>, refused: [] as Array<string>, told: [] as Array<string> }
    for (const [question, says, document] of ANSWERED) {
      const { answered, citations, response } = yield* ask(question)
      const isCited = citations.some(({ entity }) => entity.external_id === document)
      if (says.test(response) && isCited) outcomes.right++
      else outcomes[answered ? "wrong" : "refused"].push(`${question} -> ${response}`)
    }
    for (const question of UNANSWERED) {
      const { answered, response } = yield* ask(question)
      if (answered) outcomes.told.push(`${question} -> ${response}`)
    }
    return outcomes
  }
)
