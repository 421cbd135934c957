/** The service on layers of the host's own: here, memory whose document store reports changes. */
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import * as Memory from "@tributary/memory/Memory"
import { openWith } from "@tributary/tributary"
import { Effect, Layer } from "effect"

const admitted: Array<number> = []

const watched = Layer.effect(
  DocumentStore,
  Effect.map(DocumentStore, (store) =>
    DocumentStore.of({
      ...store,
      admit: (workspace, origin, items, ...rest) =>
        Effect.tap(store.admit(workspace, origin, items, ...rest), () => Effect.sync(() => admitted.push(items.length)))
    }))
)

await using kb = await openWith(Layer.provideMerge(watched, Memory.layer))
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.json(connector_id, [{ data: { room: "Ada" } }, { data: { room: "Grace" } }])
process.stdout.write(`admitted: ${admitted.join()}\n`)
