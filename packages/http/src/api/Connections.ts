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
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope, Validation } from "./Access.ts"
import { described } from "./Described.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const CONNECTIONS = "/v1/connections"
const CONNECTION = `${CONNECTIONS}/:connection_id`
const ofConnection = { connection_id: Schema.String }
const ofResource = { ...ofConnection, resource: Schema.String }

export const Deleted = Schema.Struct({ status: Schema.Literal("deleted"), connection_id: ConnectionId })
  .annotate({ identifier: "ConnectionDeleted" })

export class Connections extends HttpApiGroup.make("connections").add(
  HttpApiEndpoint.get("listProviders", "/v1/providers", { success: Schema.Array(ProviderDescription) })
    .annotateMerge(described(
      "List the providers",
      "The kinds of sources that this server can pull from, each with the JSON Schema of its configuration. Fields that are `writeOnly` are secrets."
    )).annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.get("listConnections", CONNECTIONS, { success: Schema.Array(Connection) })
    .annotateMerge(described(
      "List connections",
      "All of the workspace, newest first, as a bare array; at most 100."
    )).annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.post("createConnection", CONNECTIONS, {
    payload: NewConnection,
    success: Connection.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.BadRequest, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Connect a source",
      "The source is tried first: 400 when it cannot be reached or refuses the credentials, and nothing is kept then. The first sync begins by itself. Secrets are kept encrypted and never shown again."
    )).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.get("getConnection", CONNECTION, {
    params: ofConnection,
    success: Connection,
    error: ErrorBody.ConnectionNotFound
  })
    .annotateMerge(
      described("Read a connection", "By its id, in any case. Its configuration is shown without secrets.")
    )
    .annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.patch("updateConnection", CONNECTION, {
    params: ofConnection,
    payload: ConnectionPatch,
    success: Connection,
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Change a connection",
      "A field that is absent or null stays as it is. A `config` replaces the old one, is tried first, and starts the sync over; secrets that it leaves out are kept only where everything else of it stays the same. A reach that goes further back is pulled, one that does not keeps what is stored."
    )).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.delete("deleteConnection", CONNECTION, {
    params: ofConnection,
    query: { delete_documents: Schema.optionalKey(Parameters.boolean) },
    success: Deleted,
    error: ErrorBody.ConnectionNotFound
  })
    .annotateMerge(described(
      "Delete a connection",
      "Its secrets go at once, and nothing more is pulled. What it pulled stays, unless `delete_documents` is true."
    )).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.get("listSyncStates", `${CONNECTION}/sync`, {
    params: ofConnection,
    success: Schema.Array(SyncState),
    error: ErrorBody.ConnectionNotFound
  })
    .annotateMerge(described("See how syncing goes", "One state for each resource, by its name."))
    .annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.post("startSync", `${CONNECTION}/sync`, {
    params: ofConnection,
    payload: StartSync,
    success: Schema.Array(SyncState),
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Sync now",
      "Begins a sync of every resource that is not being synced already; a `sync_config` is kept first. What did not fit under the plan's caps last time is pulled again."
    )).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.delete("cancelSync", `${CONNECTION}/sync/:resource`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  })
    .annotateMerge(described(
      "Cancel a sync",
      "Ends within seconds. What it has taken in stays, and the next sync goes on from its last checkpoint. The resource is percent-encoded in the path."
    )).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.post("confirmDeletions", `${CONNECTION}/sync/:resource/confirm`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  })
    .annotateMerge(described(
      "Confirm deletions that are held",
      "When much of a source is gone at once, its documents are kept until this says that they are to go."
    )).annotate(RequiredScope, ["connections:write"])
).middleware(Validation).middleware(Authorization) {}
