/** The services, on layers of your choice: a text goes in, and a search finds it. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Search } from "@tributary/core/Search"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Console, Effect, Layer } from "effect"

const service = Layer.provide(
  Tributary.layer,
  Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)
)

const program = Effect.gen(function*() {
  const { personal_workspace: workspace } = yield* (yield* Workspaces).createAccount({ name: "Acme" })
  const { connector_id } = yield* (yield* Connectors).create(
    workspace,
    { name: "Handbook", source_name: "handbook" },
    OPERATOR
  )
  yield* (yield* Ingest).text(workspace, connector_id, [{ title: "Keys", text: "The spare key is in locker 7." }])
  const { results } = yield* (yield* Search).search(workspace.workspace_id, { q: "spare key" })
  yield* Console.log(results.map(({ title }) => title).join())
})

await Effect.runPromise(Effect.provide(program, service))
