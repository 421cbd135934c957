/** Connections and their syncs. */
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { ProviderDescription, SourceConnection, SyncRun, SyncState } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { ConnectionPatch, NewConnection, SyncConfigPatch } from "../requests/requests.ts"

export const providers = ({ api, call }: ConnectedClient) => ({
  /** The kinds of sources that the server can sync from, each with the JSON Schema of its configuration. */
  list: (options?: CallOptions): Promise<ReadonlyArray<ProviderDescription>> =>
    call(api.connections.listProviders(), options)
})

export const connections = ({ api, call, pages }: ConnectedClient) => ({
  /**
   * Connects a source, whose first sync starts by itself. Rejects if the source cannot be reached, and stores nothing
   * then.
   */
  create: (connection: NewConnection, options?: CallOptions): Promise<SourceConnection> =>
    call(api.connections.createConnection({ payload: omitUndefined(connection) }), options),
  /** All connections of the workspace, newest first. */
  list: (options?: CallOptions): Promise<ReadonlyArray<SourceConnection>> =>
    call(api.connections.listConnections(), options),
  /** A connection by its id, without its secrets. Rejects with a `NotFoundError` if it does not exist. */
  get: (connection_id: string, options?: CallOptions): Promise<SourceConnection> =>
    call(api.connections.getConnection({ params: { connection_id } }), options),
  /** Changes the fields that are given. A `config` replaces the old one, is tried first, and restarts the sync. */
  update: (connection_id: string, patch: ConnectionPatch, options?: CallOptions): Promise<SourceConnection> =>
    call(api.connections.updateConnection({ params: { connection_id }, payload: omitUndefined(patch) }), options),
  /** Stops syncing and deletes the secrets of the connection. Its documents stay unless `delete_documents` is true. */
  delete: (
    connection_id: string,
    query: { readonly delete_documents?: boolean | undefined } = {},
    options?: CallOptions
  ): Promise<{ readonly status: "deleted"; readonly connection_id: string }> =>
    call(api.connections.deleteConnection({ params: { connection_id }, query: omitUndefined(query) }), options),
  /** How syncing goes: the state of each resource, such as a folder or a mailbox, sorted by name. */
  states: (connection_id: string, options?: CallOptions): Promise<ReadonlyArray<SyncState>> =>
    call(api.connections.listSyncStates({ params: { connection_id } }), options),
  /** Syncs that have ended, newest first: the last 100 of each resource, or of one `resource`. */
  runs: (
    connection_id: string,
    query: { readonly resource?: string | undefined } = {},
    options: Listing = {}
  ): Pages<SyncRun> =>
    pages(
      "runs",
      query,
      options,
      (query) => api.connections.listSyncRuns({ params: { connection_id }, query: omitUndefined(query) })
    ),
  /** Starts a sync of every resource, after the running one if there is one. A `sync_config` is stored first. */
  sync: (
    connection_id: string,
    request: { readonly sync_config?: SyncConfigPatch | undefined } = {},
    options?: CallOptions
  ): Promise<ReadonlyArray<SyncState>> =>
    call(api.connections.startSync({ params: { connection_id }, payload: omitUndefined(request) }), options),
  /** Stops the sync of a resource within seconds. The next one continues where it stopped. */
  cancelSync: (connection_id: string, resource: string, options?: CallOptions): Promise<SyncState> =>
    call(api.connections.cancelSync({ params: { connection_id, resource } }), options),
  /** Deletes documents that are gone at the source and were kept because many disappeared at once. */
  confirmDeletions: (connection_id: string, resource: string, options?: CallOptions): Promise<SyncState> =>
    call(api.connections.confirmDeletions({ params: { connection_id, resource } }), options)
})
