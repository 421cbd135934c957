/** Pushing items through a custom connector. */
import * as Core from "@tributary/core/Ingest"
import { Effect } from "effect"
import type { Ingest } from "../api/Ingest.ts"
import type { Handlers } from "./Handlers.ts"

export const ingest = Effect.map(Core.Ingest, (ingest): Handlers<typeof Ingest> => ({
  ingestJson: ({ caller, params, payload }) => ingest.json(caller.workspace, params.connector_id, payload.items),
  ingestText: ({ caller, params, payload }) => ingest.text(caller.workspace, params.connector_id, payload.items),
  ingestTyped: ({ caller, params, payload }) => ingest.typed(caller.workspace, params.connector_id, payload.items),
  ingestFile: ({ caller, params, payload }) => ingest.file(caller.workspace, params.connector_id, payload)
}))
