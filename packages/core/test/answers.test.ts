/** How well questions about a small company's data are answered, without a language model. */
import { assert, layer } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../src/Asks.ts"
import { Connectors } from "../src/Connectors.ts"
import * as ExtractiveAnswerer from "../src/ExtractiveAnswerer.ts"
import { Ingest } from "../src/Ingest.ts"
import { ContextViews } from "../src/internal/ContextViews.ts"
import type { Answer } from "../src/model/Ask.ts"
import type { WorkspaceId } from "../src/model/Id.ts"
import { OPERATOR } from "../src/model/Principal.ts"
import { IndexBuilder } from "../src/ports/IndexBuilder.ts"
import { TextExtractor } from "../src/ports/TextExtractor.ts"
import { Workspaces } from "../src/Workspaces.ts"
import { ANSWERED, DOCUMENTS, NOW, UNANSWERED } from "./support/workspace.ts"

const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content })
})

// Without the background work, which would have to be carried through half a century of ticks of the clock.
const service = Layer.mergeAll(Asks.layer, Connectors.layer, Ingest.layer, Workspaces.layer).pipe(
  Layer.provide(ContextViews.layer),
  Layer.provide(Layer.mergeAll(ExtractiveAnswerer.layer, IndexBuilder.layer, extractor)),
  Layer.provide(Memory.layer)
)

const filled = Effect.gen(function*() {
  yield* TestClock.setTime(NOW.getTime())
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Orrery", tier: "pro" })
  const { connector_id } = yield* (yield* Connectors).create(
    personal_workspace.workspace_id,
    { name: "Everything", source_name: "everything" },
    OPERATOR
  )
  yield* (yield* Ingest).typed(personal_workspace, connector_id, DOCUMENTS)
  return personal_workspace.workspace_id
})

const ask = Effect.fnUntraced(function*(id: WorkspaceId, query: string, more: object = {}) {
  return yield* (yield* Asks).ask(id, { query, timezone: "Europe/Berlin", ...more })
})

const cited = ({ citations }: Answer) => citations.map(({ entity }) => entity.external_id)

layer(service)("a question about a workspace", (it) => {
  it.effect("is answered by what was asked for, from the document that says it", () =>
    Effect.gen(function*() {
      const id = yield* filled
      const wrong: Array<string> = []
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
      const id = yield* filled
      const wrong: Array<string> = []
      for (const question of UNANSWERED) {
        const answer = yield* ask(id, question)
        if (answer.answered) wrong.push(`${question} -> ${answer.response}`)
      }
      assert.deepStrictEqual(wrong, [])
    }))
})
