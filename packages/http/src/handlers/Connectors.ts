/** Custom connectors: create, read, change, deactivate. */
import * as Core from "@tributary/core/Connectors"
import type { Connector } from "@tributary/core/model/Connector"
import { Effect } from "effect"
import type { Connectors } from "../api/Connectors.ts"
import type { Handlers } from "../Handlers.ts"
import { auditing } from "./audited.ts"

const named = ({ connector_id, name }: Connector) => ({ subject: connector_id, details: { name } })

export const connectors = Effect.map(Effect.all([Core.Connectors, auditing]), ([connectors, audit]): Handlers<
  typeof Connectors
> => ({
  createConnector: ({ caller, payload }) =>
    Effect.tap(
      connectors.create(caller.workspace.workspace_id, payload, caller.principal),
      audit("connector.created", caller, named)
    ),
  listConnectors: ({ caller: { workspace }, query }) =>
    connectors.list(workspace.workspace_id, query.include_inactive ?? false),
  getConnector: ({ caller: { workspace }, params }) => connectors.find(workspace.workspace_id, params.connector_id),
  updateConnector: ({ caller, params, payload }) =>
    Effect.tap(
      connectors.update(caller.workspace.workspace_id, params.connector_id, payload),
      audit("connector.changed", caller, named)
    ),
  deactivateConnector: ({ caller, params, query: { delete_documents = false } }) =>
    connectors.deactivate(caller.workspace.workspace_id, params.connector_id, delete_documents).pipe(
      Effect.tap(audit("connector.deactivated", caller, ({ connector_id }) => ({
        subject: connector_id,
        details: { delete_documents }
      }))),
      Effect.map(({ connector_id }) => ({ status: "deactivated", connector_id }))
    )
}))
