/** Questions in the languages of the documents, answered without a language model. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { Asks } from "../../src/ask/Asks.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"

const service = Tributary.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provideMerge(Layer.fresh(Memory.layer)),
  Layer.provide(extractor)
)

const TEXTS = {
  gebuehr: "Für jeden Hund erhebt die Gemeinde eine Gebühr von vierzig Euro, die im März zu zahlen ist.",
  hafen: "Der Hafen ist im Winter geschlossen, und die Boote liegen an der Mauer.",
  bureau: "Le bureau des réclamations est fermé le lundi, et il ouvre à neuf heures les autres jours.",
  marche: "Le marché est sur la place, et les vendeurs arrivent avant le lever du soleil.",
  tower: "東京タワーの高さは333メートルで、1958年に完成しました。",
  park: "公園は朝の六時に開き、夜の九時に閉まります。",
  pier: "The pier is closed in winter, and nobody is allowed to fish from it."
}

const QUESTIONS = [
  ["Welche Gebühren erhebt die Gemeinde für Hunde?", "gebuehr"],
  ["Quand le bureau de réclamation est-il fermé ?", "bureau"],
  ["東京タワーの高さは何メートルですか", "tower"],
  ["When is the pier closed?", "pier"]
] as const

describe("A question", () => {
  it.effect("is answered from documents in its language, with any forms of the words", () =>
    Effect.gen(function*() {
      const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada", tier: "pro" })
      const id = personal_workspace.workspace_id
      const connectors = yield* Connectors
      const { connector_id } = yield* connectors.create(
        personal_workspace,
        { name: "Notes", source_name: "notes" },
        OPERATOR
      )
      const items = Object.entries(TEXTS).map(([external_id, text]) => ({ external_id, text }))
      yield* (yield* Ingest).text(personal_workspace, connector_id, items)
      const asks = yield* Asks
      for (const [query, document] of QUESTIONS) {
        const { answered, citations } = yield* asks.ask(id, { query })
        assert.isTrue(answered, query)
        assert.strictEqual(citations[0]!.entity.external_id, document, query)
      }
    }).pipe(Effect.provide(service)))
})
