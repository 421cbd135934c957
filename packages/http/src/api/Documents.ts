/** Documents: listed, read and deleted by id or by external id. */
import { Document, FullDocument } from "@tributary/core/model/Document"
import { DeletedDocuments, DocumentDeletion, DocumentList, DocumentSort } from "@tributary/core/model/DocumentList"
import { DocumentId } from "@tributary/core/model/Id"
import { ExternalIds } from "@tributary/core/model/Ingest"
import { text } from "@tributary/core/model/Text"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, NAMES } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const deleted = Schema.Literal("deleted")
const ofConnector = { connector_id: Schema.String }
const byExternalId = { ...ofConnector, external_id: Schema.String }
const CONNECTOR = "/v1/custom-connectors/:connector_id/documents"

export class Documents extends HttpApiGroup.make("documents").add(
  HttpApiEndpoint.get("listDocuments", CONNECTOR, {
    params: ofConnector,
    query: { ...Parameters.paging, external_id: Schema.optionalKey(Schema.String) },
    success: Schema.Struct({ documents: Schema.Array(Document), next_cursor: Schema.NullOr(Schema.String) }),
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.get("getConnectorDocument", `${CONNECTOR}/:external_id`, {
    params: byExternalId,
    success: FullDocument,
    error: [ErrorBody.ConnectorNotFound, ErrorBody.DocumentNotFound]
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.delete("deleteConnectorDocument", `${CONNECTOR}/:external_id`, {
    params: byExternalId,
    success: Schema.Struct({ status: deleted, external_id: Schema.String }),
    error: [ErrorBody.ConnectorNotFound, ErrorBody.DocumentNotFound]
  }).annotate(RequiredScope, ["custom_connectors:ingest"]),
  HttpApiEndpoint.post("deleteConnectorDocuments", `${CONNECTOR}/delete`, {
    params: ofConnector,
    payload: ExternalIds,
    success: Schema.Struct({ status: deleted, external_ids: Schema.Array(Schema.String) }),
    error: [ErrorBody.ConnectorNotFound, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, NAMES).annotate(RequiredScope, ["custom_connectors:ingest"]),
  HttpApiEndpoint.get("browseDocuments", "/v1/documents", {
    query: {
      ...Parameters.longPaging,
      source: Schema.optionalKey(text(1, 200)),
      kind: Schema.optionalKey(text(1, 64)),
      connector_id: Schema.optionalKey(text(1, 100)),
      connection_id: Schema.optionalKey(text(1, 100)),
      from: Schema.optionalKey(ClientTimestamp),
      to: Schema.optionalKey(ClientTimestamp),
      q: Schema.optionalKey(text(1, 1_000)),
      in_context: Schema.optionalKey(Parameters.boolean),
      sort: Schema.optionalKey(DocumentSort)
    },
    success: DocumentList
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.post("deleteDocuments", "/v1/documents/delete", {
    payload: DocumentDeletion,
    success: DeletedDocuments,
    error: [ErrorBody.Conflict, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, NAMES).annotate(RequiredScope, ["custom_connectors:ingest", "connections:write"]),
  HttpApiEndpoint.get("getDocument", "/v1/documents/:document_id", {
    params: { document_id: Schema.String },
    success: FullDocument,
    error: ErrorBody.DocumentNotFound
  }).annotate(RequiredScope, ["custom_connectors:read", "connections:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.delete("deleteDocument", "/v1/documents/:document_id", {
    params: { document_id: Schema.String },
    success: Schema.Struct({ status: deleted, document_id: DocumentId, external_id: Schema.String }),
    error: ErrorBody.DocumentNotFound
  }).annotate(RequiredScope, ["custom_connectors:ingest", "connections:write"])
).middleware(Validation).middleware(Authorization) {}
