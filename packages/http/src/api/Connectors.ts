/** Custom connectors: create, read, change, deactivate. */
import { Connector, ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
import { ConnectorId } from "@tributary/core/model/Id"
import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import { BodyLimit, CONNECTOR } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const connectorId = { connector_id: Schema.String }

const Deactivated = Schema.Struct({ ...outcome("deactivated"), connector_id: ConnectorId })
  .annotate({ identifier: "DeactivationResult" })

// The API refuses unknown fields only in settings; a connector's are ignored.
const lenient = { onExcessProperty: "ignore" } as const

export class Connectors extends HttpApiGroup.make("connectors").add(
  /**
   * Create a custom connector. A named source for pushing data. `source_name` is unique in the workspace and never
   * changes. Unknown fields are ignored.
   */
  HttpApiEndpoint.post("createConnector", "/", {
    payload: NewConnector,
    success: Connector.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  })
    .annotate(BodyLimit, CONNECTOR)
    .annotate(RequiredScope, ["custom_connectors:write"])
    .annotate(HttpApi.PayloadParseOptions, lenient),
  /** List custom connectors. All connectors of the workspace, newest first, as a bare array; at most 1,000. */
  HttpApiEndpoint.get("listConnectors", "/", {
    query: {
      /**
       * Whether to include deactivated connectors.
       * @default false
       */
      include_inactive: Schema.optionalKey(Parameters.boolean)
    },
    success: Schema.Array(Connector)
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(TokenAccess, "filtered"),
  /** Read a custom connector. By its id, in upper or lower case. */
  HttpApiEndpoint.get("getConnector", "/:connector_id", {
    params: connectorId,
    success: Connector,
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(TokenAccess, "filtered"),
  /**
   * Change a custom connector. A field that is absent or null stays unchanged; a field with a value replaces the old
   * one and applies to later ingests. `is_active` deactivates and reactivates. Unknown fields are ignored; a different
   * `source_name` is refused with 422.
   */
  HttpApiEndpoint.patch("updateConnector", "/:connector_id", {
    params: connectorId,
    payload: ConnectorPatch,
    success: Connector,
    error: [ErrorBody.ConnectorNotFound, ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  })
    .annotate(BodyLimit, CONNECTOR)
    .annotate(RequiredScope, ["custom_connectors:write"])
    .annotate(HttpApi.PayloadParseOptions, lenient),
  /**
   * Deactivate a custom connector. It accepts no more items. Its documents stay, unless `delete_documents` is true.
   * Repeated calls give the same answer.
   */
  HttpApiEndpoint.delete("deactivateConnector", "/:connector_id", {
    params: connectorId,
    query: {
      /**
       * Whether to delete its documents, too.
       * @default false
       */
      delete_documents: Schema.optionalKey(Parameters.boolean)
    },
    success: Deactivated,
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:write"])
).prefix("/v1/custom-connectors").middleware(Validation).middleware(Authorization) {}
