/** Connectors. */
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Connector } from "../models.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { ConnectorPatch, NewConnector } from "../requests/requests.ts"

export const connectors = ({ api, call }: ConnectedClient) => ({
  /** Creates a named source that pushes documents. Its `source_name` is unique in the workspace and never changes. */
  create: (connector: NewConnector, options?: CallOptions): Promise<Connector> =>
    call(api.connectors.createConnector({ payload: omitUndefined(connector) }), options),
  /** All connectors of the workspace, newest first, without deactivated ones unless `include_inactive` is true. */
  list: (
    query: { readonly include_inactive?: boolean | undefined } = {},
    options?: CallOptions
  ): Promise<ReadonlyArray<Connector>> => call(api.connectors.listConnectors({ query: omitUndefined(query) }), options),
  /** A connector by its id. Rejects with a `NotFoundError` if it does not exist. */
  get: (connector_id: string, options?: CallOptions): Promise<Connector> =>
    call(api.connectors.getConnector({ params: { connector_id } }), options),
  /** Changes the fields that are given; `is_active` deactivates and reactivates the connector. */
  update: (connector_id: string, patch: ConnectorPatch, options?: CallOptions): Promise<Connector> =>
    call(api.connectors.updateConnector({ params: { connector_id }, payload: omitUndefined(patch) }), options),
  /** Deactivates the connector: it accepts no more items. Its documents stay unless `delete_documents` is true. */
  delete: (
    connector_id: string,
    query: { readonly delete_documents?: boolean | undefined } = {},
    options?: CallOptions
  ): Promise<{ readonly status: "deactivated"; readonly connector_id: string }> =>
    call(api.connectors.deactivateConnector({ params: { connector_id }, query: omitUndefined(query) }), options)
})
