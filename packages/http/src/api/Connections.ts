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
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import { BodyLimit, CONFIGURATION } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const CONNECTIONS = "/v1/connections"
const CONNECTION = `${CONNECTIONS}/:connection_id`
const ofConnection = { connection_id: Schema.String }
const ofResource = {
  ...ofConnection,
  /** The name of the resource, percent-encoded. */
  resource: Schema.String
}

const Deleted = Schema.Struct({ ...outcome("deleted"), connection_id: ConnectionId })
  .annotate({ identifier: "ConnectionDeleted" })

export class Connections extends HttpApiGroup.make("connections").add(
  /**
   * List the providers. The kinds of sources that this server can sync from, each with the JSON Schema of its
   * configuration. Fields that are `writeOnly` are secrets.
   */
  HttpApiEndpoint.get("listProviders", "/v1/providers", { success: Schema.Array(ProviderDescription) })
    .annotate(RequiredScope, ["connections:read"]),
  /** List connections. All connections of the workspace, newest first, as a bare array; at most 100. */
  HttpApiEndpoint.get("listConnections", CONNECTIONS, { success: Schema.Array(Connection) })
    .annotate(RequiredScope, ["connections:read"]).annotate(TokenAccess, "filtered"),
  /**
   * Connect a source. Tries the source first: if it cannot be reached or refuses the credentials, the answer is 400 and
   * nothing is stored. The first sync starts by itself. Secrets are encrypted and never shown again.
   */
  HttpApiEndpoint.post("createConnection", CONNECTIONS, {
    payload: NewConnection,
    success: Connection.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.BadRequest, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, CONFIGURATION).annotate(RequiredScope, ["connections:write"]),
  /** Read a connection. By its id, in upper or lower case. The configuration is shown without secrets. */
  HttpApiEndpoint.get("getConnection", CONNECTION, {
    params: ofConnection,
    success: Connection,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  /**
   * Change a connection. A field that is absent or null stays unchanged. A `config` replaces the old one, is tried
   * first, and restarts the sync; secrets that it omits are kept only if the rest of it is unchanged. A range that goes
   * further back is synced; a shorter one deletes nothing.
   */
  HttpApiEndpoint.patch("updateConnection", CONNECTION, {
    params: ofConnection,
    payload: ConnectionPatch,
    success: Connection,
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, CONFIGURATION).annotate(RequiredScope, ["connections:write"]),
  /**
   * Delete a connection. Deletes its secrets at once and stops syncing. Its documents stay, unless `delete_documents`
   * is true; that also deletes those of a connection that was deleted before.
   */
  HttpApiEndpoint.delete("deleteConnection", CONNECTION, {
    params: ofConnection,
    query: {
      /**
       * Whether to delete its documents, too.
       * @default false
       */
      delete_documents: Schema.optionalKey(Parameters.boolean)
    },
    success: Deleted,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"]),
  /** See how syncing goes. The state of each resource, sorted by name. */
  HttpApiEndpoint.get("listSyncStates", `${CONNECTION}/sync`, {
    params: ofConnection,
    success: Schema.Array(SyncState),
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  /**
   * List ended syncs. The last 100 finished syncs of each resource, newest first, with the items that were not
   * ingested.
   */
  HttpApiEndpoint.get("listSyncRuns", `${CONNECTION}/runs`, {
    params: ofConnection,
    query: {
      ...Parameters.paging,
      /** Only syncs of this resource. */
      resource: Schema.optionalKey(text(1, 1_000))
    },
    success: Schema.Struct({
      /** The syncs, newest first. */
      runs: Schema.Array(SyncRun),
      ...nextPage
    }),
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  /**
   * Sync now. Starts a sync of every resource, after the running one if there is one; a `sync_config` is stored first.
   * Items over the caps of the plan are tried again.
   */
  HttpApiEndpoint.post("startSync", `${CONNECTION}/sync`, {
    params: ofConnection,
    payload: StartSync,
    success: Schema.Array(SyncState),
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["connections:write"]),
  /**
   * Cancel a sync. Stops within seconds. Ingested items stay, and the next sync continues from the last checkpoint. The
   * resource is percent-encoded in the path.
   */
  HttpApiEndpoint.delete("cancelSync", `${CONNECTION}/sync/:resource`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"]),
  /**
   * Confirm deletions that are held. If many documents of a source disappear at once, they are kept until this confirms
   * their deletion.
   */
  HttpApiEndpoint.post("confirmDeletions", `${CONNECTION}/sync/:resource/confirm`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"])
).middleware(Validation).middleware(Authorization) {}
