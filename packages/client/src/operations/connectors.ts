/** Connectors. */
import type { ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Connector } from "../models.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"

export const connectors = ({ api, call }: ConnectedClient) => ({
  create: (connector: NewConnector, options?: CallOptions): Promise<Connector> =>
    call(api.connectors.createConnector({ payload: omitUndefined(connector) }), options),
  list: (
    query: { readonly include_inactive?: boolean } = {},
    options?: CallOptions
  ): Promise<ReadonlyArray<Connector>> => call(api.connectors.listConnectors({ query: omitUndefined(query) }), options),
  get: (connector_id: string, options?: CallOptions): Promise<Connector> =>
    call(api.connectors.getConnector({ params: { connector_id } }), options),
  update: (connector_id: string, patch: ConnectorPatch, options?: CallOptions): Promise<Connector> =>
    call(api.connectors.updateConnector({ params: { connector_id }, payload: omitUndefined(patch) }), options),
  /** Deactivates it; its documents stay unless they are to be deleted, too. */
  delete: (
    connector_id: string,
    query: { readonly delete_documents?: boolean } = {},
    options?: CallOptions
  ): Promise<{ readonly status: "deactivated"; readonly connector_id: string }> =>
    call(api.connectors.deactivateConnector({ params: { connector_id }, query: omitUndefined(query) }), options)
})
