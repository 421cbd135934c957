/** The whole service in this process, in memory: a text goes in, a cited answer comes out. */
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function*() {
  const { personal_workspace: workspace } = yield* (yield* Workspaces).createAccount({ name: "Acme" })
  const connector = yield* (yield* Connectors).create(
    workspace.workspace_id,
    { name: "Handbook", source_name: "handbook" },
    OPERATOR
  )
  yield* (yield* Ingest).text(workspace, connector.connector_id, [
    { title: "Holidays", text: "The office is closed from December 24 to January 1." }
  ])
  const { citations, response } = yield* (yield* Asks).ask(workspace.workspace_id, {
    query: "When is the office closed?"
  })
  yield* Console.log(response)
  for (const { entity } of citations) yield* Console.log(`[${entity.marker}] ${entity.title}: "${entity.quote}"`)
})

const backend = Layer.mergeAll(Memory.layer, Extract.layer)

await Effect.runPromise(Effect.provide(program, Tributary.layer.pipe(Layer.provide(backend))))
