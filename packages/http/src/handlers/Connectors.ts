/** Custom connectors: create, read, change, deactivate. */
import * as Core from "@tributary/core/Connectors"
import { Effect } from "effect"
import type { Connectors } from "../api/Connectors.ts"
import type { Handlers } from "./Handlers.ts"

export const connectors = Effect.map(Core.Connectors, (connectors): Handlers<typeof Connectors> => ({
  createConnector: ({ caller: { principal, workspace }, payload }) => connectors.create(workspace, payload, principal),
  listConnectors: ({ caller: { workspace }, query }) =>
    connectors.list(workspace.workspace_id, query.include_inactive ?? false),
  getConnector: ({ caller: { workspace }, params }) => connectors.find(workspace.workspace_id, params.connector_id),
  updateConnector: ({ caller: { principal, workspace }, params, payload }) =>
    connectors.update(workspace, params.connector_id, payload, principal),
  deactivateConnector: ({ caller: { principal, workspace }, params, query: { delete_documents = false } }) =>
    Effect.map(
      connectors.deactivate(workspace, params.connector_id, delete_documents, principal),
      ({ connector_id }) => ({ status: "deactivated", connector_id })
    )
}))
