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
import { SyncRun } from "@tributary/core/model/SyncRun"
import { text } from "@tributary/core/model/Text"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, CONFIGURATION } from "./BodyLimit.ts"
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
    .annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.get("listConnections", CONNECTIONS, { success: Schema.Array(Connection) })
    .annotate(RequiredScope, ["connections:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.post("createConnection", CONNECTIONS, {
    payload: NewConnection,
    success: Connection.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.BadRequest, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, CONFIGURATION).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.get("getConnection", CONNECTION, {
    params: ofConnection,
    success: Connection,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.patch("updateConnection", CONNECTION, {
    params: ofConnection,
    payload: ConnectionPatch,
    success: Connection,
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, CONFIGURATION).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.delete("deleteConnection", CONNECTION, {
    params: ofConnection,
    query: { delete_documents: Schema.optionalKey(Parameters.boolean) },
    success: Deleted,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.get("listSyncStates", `${CONNECTION}/sync`, {
    params: ofConnection,
    success: Schema.Array(SyncState),
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.get("listSyncRuns", `${CONNECTION}/runs`, {
    params: ofConnection,
    query: { ...Parameters.paging, resource: Schema.optionalKey(text(1, 1_000)) },
    success: Schema.Struct({ runs: Schema.Array(SyncRun), next_cursor: Schema.NullOr(Schema.String) }),
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:read"]),
  HttpApiEndpoint.post("startSync", `${CONNECTION}/sync`, {
    params: ofConnection,
    payload: StartSync,
    success: Schema.Array(SyncState),
    error: [ErrorBody.BadRequest, ErrorBody.ConnectionNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.delete("cancelSync", `${CONNECTION}/sync/:resource`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"]),
  HttpApiEndpoint.post("confirmDeletions", `${CONNECTION}/sync/:resource/confirm`, {
    params: ofResource,
    success: SyncState,
    error: ErrorBody.ConnectionNotFound
  }).annotate(RequiredScope, ["connections:write"])
).middleware(Validation).middleware(Authorization) {}
