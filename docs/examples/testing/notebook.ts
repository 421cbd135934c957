/** A host's own code: what a team notes down, and what it can ask about it. */
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect } from "effect"

/** A notebook whose answers come from the last seven days. */
export const openNotebook = Effect.fn("openNotebook")(function*(team: string) {
  const { personal_workspace: workspace } = yield* (yield* Workspaces).createAccount({ name: team, tier: "pro" })
  const { workspace_id } = workspace
  const range = { temporal_settings: { start: { type: "relative", days: 7 }, end: null } } as const
  yield* (yield* KnowledgeContext).configure(workspace, range, OPERATOR)
  const source = { name: "Notebook", source_name: "notebook" }
  const { connector_id } = yield* (yield* Connectors).create(workspace, source, OPERATOR)
  const ingest = yield* Ingest
  const asks = yield* Asks

  return {
    note: (text: string, timestamp?: Date) =>
      ingest.text(workspace, connector_id, [timestamp === undefined ? { text } : { text, timestamp }]),
    recall: (query: string) =>
      Effect.map(asks.ask(workspace_id, { query }), ({ answered, citations }) =>
        answered ? citations.map(({ entity }) => entity.quote) : [])
  }
})
