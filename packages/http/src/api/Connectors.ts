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
import * as Parameters from "./Parameters.ts"

const connectorId = { connector_id: Schema.String }

export const Deactivated = Schema.Struct({ status: Schema.Literal("deactivated"), connector_id: ConnectorId })
  .annotate({ identifier: "DeactivationResult" })

// The API refuses unknown fields only in settings; a connector's are ignored.
const lenient = { onExcessProperty: "ignore" } as const

export class Connectors extends HttpApiGroup.make("connectors").add(
  HttpApiEndpoint.post("createConnector", "/", {
    payload: NewConnector,
    success: Connector.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, METADATA).annotate(RequiredScope, ["custom_connectors:write"]).annotate(
    HttpApi.PayloadParseOptions,
    lenient
  ),
  HttpApiEndpoint.get("listConnectors", "/", {
    query: { include_inactive: Schema.optionalKey(Parameters.boolean) },
    success: Schema.Array(Connector)
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.get("getConnector", "/:connector_id", {
    params: connectorId,
    success: Connector,
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.patch("updateConnector", "/:connector_id", {
    params: connectorId,
    payload: ConnectorPatch,
    success: Connector,
    error: [ErrorBody.ConnectorNotFound, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, METADATA).annotate(RequiredScope, ["custom_connectors:write"]).annotate(
    HttpApi.PayloadParseOptions,
    lenient
  ),
  HttpApiEndpoint.delete("deactivateConnector", "/:connector_id", {
    params: connectorId,
    query: { delete_documents: Schema.optionalKey(Parameters.boolean) },
    success: Deactivated,
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:write"])
).prefix("/v1/custom-connectors").middleware(Validation).middleware(Authorization) {}
