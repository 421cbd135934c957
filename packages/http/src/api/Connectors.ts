/** Custom connectors: create, read, change, deactivate. */
import { Connector, ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
import { ConnectorId } from "@tributary/core/model/Id"
import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, METADATA } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const connectorId = { connector_id: Schema.String }

export const Deactivated = Schema.Struct({ ...outcome("deactivated"), connector_id: ConnectorId })
  .annotate({ identifier: "DeactivationResult" })

// The API refuses unknown fields only in settings; a connector's are ignored.
const lenient = { onExcessProperty: "ignore" } as const

export class Connectors extends HttpApiGroup.make("connectors").add(
  /**
   * Create a custom connector. A named source to push through. `source_name` is unique in the workspace for ever and
   * never changes. Unknown fields are passed over.
   */
  HttpApiEndpoint.post("createConnector", "/", {
    payload: NewConnector,
    success: Connector.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, METADATA).annotate(RequiredScope, ["custom_connectors:write"]).annotate(
    HttpApi.PayloadParseOptions,
    lenient
  ),
  /** List custom connectors. All of the workspace, newest first, as a bare array; at most 1,000. */
  HttpApiEndpoint.get("listConnectors", "/", {
    query: {
      /** Whether deactivated connectors are listed, too. */
      include_inactive: Schema.optionalKey(Parameters.boolean)
    },
    success: Schema.Array(Connector)
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  /** Read a custom connector. By its id, in any case. */
  HttpApiEndpoint.get("getConnector", "/:connector_id", {
    params: connectorId,
    success: Connector,
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  /**
   * Change a custom connector. A field that is absent or null stays as it is; one that is given replaces the old value
   * and applies to later ingests. `is_active` deactivates and reactivates. Unknown fields are passed over; another
   * `source_name` is refused with 422.
   */
  HttpApiEndpoint.patch("updateConnector", "/:connector_id", {
    params: connectorId,
    payload: ConnectorPatch,
    success: Connector,
    error: [ErrorBody.ConnectorNotFound, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, METADATA).annotate(RequiredScope, ["custom_connectors:write"]).annotate(
    HttpApi.PayloadParseOptions,
    lenient
  ),
  /**
   * Deactivate a custom connector. It takes no more items. What it delivered stays, unless `delete_documents` is true.
   * Twice answers the same twice.
   */
  HttpApiEndpoint.delete("deactivateConnector", "/:connector_id", {
    params: connectorId,
    query: {
      /** Whether the documents that came from it are deleted, too. */
      delete_documents: Schema.optionalKey(Parameters.boolean)
    },
    success: Deactivated,
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:write"])
).prefix("/v1/custom-connectors").middleware(Validation).middleware(Authorization) {}
