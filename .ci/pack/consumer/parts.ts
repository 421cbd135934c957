/** A host with its own answerer, embedding model, provider and kind. Each marks its output. */
import type { Provider } from "@tributary/core/ports/Provider"
import { open } from "@tributary/tributary"
import { Effect, Schema, Stream } from "effect"
import { setTimeout } from "node:timers/promises"

const notes: Provider<{ readonly owner: string }> = {
  provider: "notes",
  name: "Notes",
  config: Schema.Struct({ owner: Schema.String }),
  syncDefaults: { start: { type: "relative", days: 30 }, interval_minutes: 60 },
  resources: () => Effect.succeed(["all"]),
  sync: ({ config }) =>
    Stream.make(
      {
        _tag: "Upsert",
        item: {
          external_id: "all/1",
          timestamp: new Date(),
          payload: { kind: "page", content: `Kites of ${config.owner}.` }
        }
      },
      { _tag: "Checkpoint", cursor: "1", done: 1, total: 1 }
    )
}

await using kb = await open({
  storage: "memory",
  answerer: {
    answer: ({ query }) =>
      Stream.succeed({ _tag: "Outcome", model: "own", related: [], warnings: [`asked: ${query}`], truncated: false })
  },
  embedder: { model: "own", dimensions: 2, batch: 8, embed: (texts) => Effect.succeed(texts.map(() => [1, 0])) },
  kinds: { invoice: { fields: { number: "text", notes: "text" }, body: "notes" } },
  providers: [notes as Provider]
})
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Billing", source_name: "billing" })
await workspace.ingest.typed(connector_id, [{
  external_id: "2026-114",
  timestamp: new Date(),
  payload: { kind: "invoice", number: "2026-114", notes: "Paid in two instalments." }
}])
await workspace.connections.create({ provider: "notes", name: "Notes", config: { owner: "Ada" } })

const patience = AbortSignal.timeout(60_000)
const until = async (isDone: () => Promise<boolean>): Promise<void> => {
  while (!(await isDone())) await setTimeout(100, undefined, { signal: patience })
}
await until(async () => (await workspace.search({ q: "cyclist", mode: "semantic" })).count === 2)
const { results: [invoice] } = await workspace.search({ q: "instalments" })
const { model, warnings } = await workspace.ask({ query: "When?" })
process.stdout.write(`${invoice?.evidence_type} ${model} ${warnings?.join()}\n`)
