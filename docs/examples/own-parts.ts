/** An embedder and an answerer of the host's own, in place of a model: the answer is the best passage. */
import { Answerer } from "@tributary/core/ports/Answerer"
import { type EmbeddingModel, ModelUnavailable } from "@tributary/core/ports/Embedder"
import { open } from "@tributary/tributary"
import { Effect, Stream } from "effect"
import { setTimeout } from "node:timers/promises"

const SUBJECTS = [/bicycle|cyclist/i, /lunch|meal/i]

/** Replaces a model: texts about the same subject have the same vector. */
const vectorsOf = (texts: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<number>>> =>
  Promise.resolve(texts.map((text) => [0.1, ...SUBJECTS.map((subject) => Number(subject.test(text)))]))

const embedder: EmbeddingModel = {
  model: "subjects-1",
  dimensions: 1 + SUBJECTS.length,
  batch: 100,
  embed: (texts) =>
    Effect.tryPromise({ try: () => vectorsOf(texts), catch: (cause) => new ModelUnavailable({ cause }) })
}

const answerer = Answerer.of({
  answer: ({ query }, evidence) =>
    Stream.fromIterableEffect(
      Effect.map(evidence.search(query, 1), ({ passages, truncated }) => [
        ...passages.map(({ change_seq, document_id, start, text }) => ({
          _tag: "Statement" as const,
          text,
          quotes: [{ document_id, change_seq, start, end: start + text.length }]
        })),
        { _tag: "Outcome" as const, model: "best-passage", related: [], warnings: [], truncated }
      ])
    )
})

await using kb = await open({ storage: "memory", embedder, answerer })
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [
  { title: "Garage", text: "Bicycles are kept in the basement." },
  { title: "Canteen", text: "Lunch is served at noon." }
])

// Vectors are made in the background; until then a warning says how many are still to come.
while ((await workspace.search({ q: "cyclist" })).warnings.length > 0) await setTimeout(100)
const { model, response } = await workspace.ask({ query: "Where does a cyclist go?" })
process.stdout.write(`${model}: ${response}\n`)
