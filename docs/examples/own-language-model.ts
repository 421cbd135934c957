/** Any `LanguageModel` of `effect/ai` answers: here one that always quotes the first passage. */
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { openWith } from "@tributary/tributary"
import { Effect, Layer, Stream } from "effect"
import * as LanguageModel from "effect/ai/LanguageModel"

const reply = { statements: [{ text: "Lunch is at noon.", quotes: [{ passage: 1, quote: "Lunch is served at noon." }] }] }

const languageModel = LanguageModel.make({
  generateText: () => Effect.succeed([]),
  streamText: () => Stream.succeed({ type: "text-delta", id: "0", delta: JSON.stringify(reply) })
})

const answerer = ModelAnswerer.layer({ model: "first-passage" }).pipe(
  Layer.provide(Layer.effect(LanguageModel.LanguageModel, languageModel))
)

await using kb = await openWith(Layer.merge(Memory.layer, answerer))
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [{ title: "Canteen", text: "Lunch is served at noon." }])
process.stdout.write(`${(await workspace.ask({ query: "When is lunch served?" })).response}\n`)
