/** Connections and their syncs, and the providers that they can be of. */
import {
  Connection,
  ConnectionPatch,
  NewConnection,
  ProviderDescription,
  StartSync,
  SyncState
} from "@tributary/core/model/Connection"
import { ConnectionId } from "@tributary/core/model/Id"
import { nextPage } from "@tributary/core/model/Page"
import { SyncRun } from "@tributary/core/model/SyncRun"
import { text } from "@tributary/core/model/Text"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, CONFIGURATION } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const CONNECTIONS = "/v1/connections"
const CONNECTION = `${CONNECTIONS}/:connection_id`
const ofConnection = { connection_id: Schema.String }
const ofResource = {
  ...ofConnection,
  /** The resource's name, percent-encoded. */
  resource: Schema.String
}

export const Deleted = Schema.Struct({ ...outcome("deleted"), connection_id: ConnectionId })
  .annotate({ identifier: "ConnectionDeleted" })

export class Connections extends HttpApiGroup.make("connections").add(
  /**
   * List the providers. The kinds of sources that this server can pull from, each with the JSON Schema of its
   * configuration. Fields that are `writeOnly` are secrets.
   */
  HttpApiEndpoint.get("listProviders", "/v1/providers", { success: Schema.Array(ProviderDescription) })
    .annotate(RequiredScope, ["connections:read"]),
  /** List connections. All of the workspace, newest first, as a bare array; at most 100. */
  HttpApiEndpoint.get("listConnections", CONNECTIONS, { success: Schema.Array(Connection) })
    .annotate(RequiredScope, ["connections:read"]).annotate(ForTokens, "narrowed"),
  /**
   * Connect a source. The source is tried first: 400 when it cannot be reached or refuses the credentials, and nothing
   * is kept then. The first sync begins by itself. Secrets are kept encrypted and never shown again.
   */
  HttpApiEndpoint.post("createConnection", CONNECTIONS, {
    payload: NewConnection,
    success: Connection.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.BadRequest, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, CONFIGURATION).annotate(RequiredScope, ["connections:write"]),
  /** Read a connection. By its id, in any case. Its configuration is shown without secrets. */
  HttpApiEndpoint.get("getConnection", CONNECTION, {
    params: ofConnection,
    success: Connection,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  /**
   * Change a connection. A field that is absent or null stays as it is. A `config` replaces the old one, is tried
   * first, and starts the sync over; secrets that it leaves out are kept only where everything else of it stays the
   * same. A reach that goes further back is pulled, one that does not keeps what is stored.
   */
  HttpApiEndpoint.patch("updateConnection", CONNECTION, {
    params: ofConnection,
    payload: ConnectionPatch,
    success: Connection,
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, CONFIGURATION).annotate(RequiredScope, ["connections:write"]),
  /**
   * Delete a connection. Its secrets go at once, and nothing more is pulled. What it pulled stays, unless
   * `delete_documents` is true.
   */
  HttpApiEndpoint.delete("deleteConnection", CONNECTION, {
    params: ofConnection,
    query: {
      /** Whether the documents that came from it are deleted, too. */
      delete_documents: Schema.optionalKey(Parameters.boolean)
    },
    success: Deleted,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"]),
  /** See how syncing goes. One state for each resource, by its name. */
  HttpApiEndpoint.get("listSyncStates", `${CONNECTION}/sync`, {
    params: ofConnection,
    success: Schema.Array(SyncState),
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  /**
   * List ended syncs. The last 100 syncs of each resource that have ended, newest first, with what they did not take
   * in.
   */
  HttpApiEndpoint.get("listSyncRuns", `${CONNECTION}/runs`, {
    params: ofConnection,
    query: {
      ...Parameters.paging,
      /** Only syncs of this resource. */
      resource: Schema.optionalKey(text(1, 1_000))
    },
    success: Schema.Struct({
      /** Newest first. */
      runs: Schema.Array(SyncRun),
      ...nextPage
    }),
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  /**
   * Sync now. Begins a sync of every resource, after the one that runs where one does; a `sync_config` is kept first.
   * What did not fit under the plan's caps last time is pulled again.
   */
  HttpApiEndpoint.post("startSync", `${CONNECTION}/sync`, {
    params: ofConnection,
    payload: StartSync,
    success: Schema.Array(SyncState),
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["connections:write"]),
  /**
   * Cancel a sync. Ends within seconds. What it has taken in stays, and the next sync goes on from its last checkpoint.
   * The resource is percent-encoded in the path.
   */
  HttpApiEndpoint.delete("cancelSync", `${CONNECTION}/sync/:resource`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"]),
  /**
   * Confirm deletions that are held. When much of a source is gone at once, its documents are kept until this says that
   * they are to go.
   */
  HttpApiEndpoint.post("confirmDeletions", `${CONNECTION}/sync/:resource/confirm`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"])
).middleware(Validation).middleware(Authorization) {}
