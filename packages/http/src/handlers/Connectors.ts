/** Custom connectors: create, read, change, deactivate. */
import * as Core from "@tributary/core/Connectors"
import { Effect } from "effect"
import type { Connectors } from "../api/Connectors.ts"
import type { Handlers } from "../Routes.ts"

export const connectors = Effect.map(Core.Connectors, (connectors): Handlers<typeof Connectors> => ({
  createConnector: ({ caller: { principal, workspace }, payload }) =>
    connectors.create(workspace.workspace_id, payload, principal),
  listConnectors: ({ caller: { workspace }, query }) =>
    connectors.list(workspace.workspace_id, query.include_inactive ?? false),
  getConnector: ({ caller: { workspace }, params }) => connectors.find(workspace.workspace_id, params.connector_id),
  updateConnector: ({ caller: { workspace }, params, payload }) =>
    connectors.update(workspace.workspace_id, params.connector_id, payload),
  deactivateConnector: ({ caller: { workspace }, params, query }) =>
    Effect.map(
      connectors.deactivate(workspace.workspace_id, params.connector_id, query.delete_documents ?? false),
      ({ connector_id }) => ({ status: "deactivated", connector_id })
    )
}))
