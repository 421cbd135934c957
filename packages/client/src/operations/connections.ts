/** Connections and their syncs. */
import type { ConnectionPatch, NewConnection, SyncConfigPatch } from "@tributary/core/model/Connection"
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { ProviderDescription, SourceConnection, SyncRun, SyncState } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"

export const providers = ({ api, call }: ConnectedClient) => ({
  list: (options?: CallOptions): Promise<ReadonlyArray<ProviderDescription>> =>
    call(api.connections.listProviders(), options)
})

export const connections = ({ api, call, pages }: ConnectedClient) => ({
  /** Tries the source first, and rejects when it cannot be reached. */
  create: (connection: NewConnection, options?: CallOptions): Promise<SourceConnection> =>
    call(api.connections.createConnection({ payload: omitUndefined(connection) }), options),
  list: (options?: CallOptions): Promise<ReadonlyArray<SourceConnection>> =>
    call(api.connections.listConnections(), options),
  get: (connection_id: string, options?: CallOptions): Promise<SourceConnection> =>
    call(api.connections.getConnection({ params: { connection_id } }), options),
  update: (connection_id: string, patch: ConnectionPatch, options?: CallOptions): Promise<SourceConnection> =>
    call(api.connections.updateConnection({ params: { connection_id }, payload: omitUndefined(patch) }), options),
  /** Its documents stay unless they are to be deleted, too. */
  delete: (
    connection_id: string,
    query: { readonly delete_documents?: boolean } = {},
    options?: CallOptions
  ): Promise<{ readonly status: "deleted"; readonly connection_id: string }> =>
    call(api.connections.deleteConnection({ params: { connection_id }, query: omitUndefined(query) }), options),
  /** One state per resource. */
  states: (connection_id: string, options?: CallOptions): Promise<ReadonlyArray<SyncState>> =>
    call(api.connections.listSyncStates({ params: { connection_id } }), options),
  /** Syncs that have ended, newest first: the last 100 of each resource. */
  runs: (connection_id: string, query: { readonly resource?: string } = {}, options: Listing = {}): Pages<SyncRun> =>
    pages("runs", query, options, (query) => api.connections.listSyncRuns({ params: { connection_id }, query })),
  sync: (
    connection_id: string,
    request: { readonly sync_config?: SyncConfigPatch } = {},
    options?: CallOptions
  ): Promise<ReadonlyArray<SyncState>> =>
    call(api.connections.startSync({ params: { connection_id }, payload: omitUndefined(request) }), options),
  cancelSync: (connection_id: string, resource: string, options?: CallOptions): Promise<SyncState> =>
    call(api.connections.cancelSync({ params: { connection_id, resource } }), options),
  /** Deletes documents that are gone at the source and were held because there were many. */
  confirmDeletions: (connection_id: string, resource: string, options?: CallOptions): Promise<SyncState> =>
    call(api.connections.confirmDeletions({ params: { connection_id, resource } }), options)
})
