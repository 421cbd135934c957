/** Documents: listed, read and deleted by id or by external id. */
import { Document, FullDocument } from "@tributary/core/model/Document"
import { DeletedDocuments, DocumentDeletion, DocumentList, DocumentSort } from "@tributary/core/model/DocumentList"
import { DocumentId } from "@tributary/core/model/Id"
import { ExternalIds } from "@tributary/core/model/Ingest"
import { nextPage } from "@tributary/core/model/Page"
import { text } from "@tributary/core/model/Text"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, NAMES } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const ofConnector = { connector_id: Schema.String }
const byExternalId = {
  ...ofConnector,
  /** The id that the client gave the document, percent-encoded. */
  external_id: Schema.String
}
const CONNECTOR = "/v1/custom-connectors/:connector_id/documents"

export class Documents extends HttpApiGroup.make("documents").add(
  /** List a connector's documents. Without their text. */
  HttpApiEndpoint.get("listDocuments", CONNECTOR, {
    params: ofConnector,
    query: {
      ...Parameters.paging,
      /** Only the document with this id. */
      external_id: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({
      /** Without their text. */
      documents: Schema.Array(Document),
      ...nextPage
    }),
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  /**
   * Read a document by its external id. The id is percent-encoded in the path. Ids that have no form in a path, such as
   * `..`, are read by document id.
   */
  HttpApiEndpoint.get("getConnectorDocument", `${CONNECTOR}/:external_id`, {
    params: byExternalId,
    success: FullDocument,
    error: [ErrorBody.ConnectorNotFound, ErrorBody.DocumentNotFound]
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(ForTokens, "narrowed"),
  /** Delete a document by its external id. What it counted against the plan is free at once. */
  HttpApiEndpoint.delete("deleteConnectorDocument", `${CONNECTOR}/:external_id`, {
    params: byExternalId,
    success: Schema.Struct({
      ...outcome("deleted"),
      /** The id that the client gave the item, or that was made for it. */
      external_id: Schema.String
    }),
    error: [ErrorBody.ConnectorNotFound, ErrorBody.DocumentNotFound]
  }).annotate(RequiredScope, ["custom_connectors:ingest"]),
  /** Delete many documents. Answers the ids of those that existed. */
  HttpApiEndpoint.post("deleteConnectorDocuments", `${CONNECTOR}/delete`, {
    params: ofConnector,
    payload: ExternalIds,
    success: Schema.Struct({
      ...outcome("deleted"),
      /** Those that existed. */
      external_ids: Schema.Array(Schema.String)
    }),
    error: [ErrorBody.ConnectorNotFound, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, NAMES).annotate(RequiredScope, ["custom_connectors:ingest"]),
  /**
   * List all documents. Every document of the workspace, pushed or pulled, without its text: filtered, sorted, and
   * counted up to 10,000.
   */
  HttpApiEndpoint.get("browseDocuments", "/v1/documents", {
    query: {
      ...Parameters.longPaging,
      /**
       * Only what comes from this source: `custom:<source_name>`, `<provider>:<connection_id>`, or the part before
       * the colon.
       */
      source: Schema.optionalKey(text(1, 200)),
      /** Only what is of this kind. */
      kind: Schema.optionalKey(text(1, 64)),
      /** Only what came through this connector. */
      connector_id: Schema.optionalKey(text(1, 100)),
      /** Only what came through this connection. */
      connection_id: Schema.optionalKey(text(1, 100)),
      /** Only documents whose own time is this moment or later. */
      from: Schema.optionalKey(ClientTimestamp),
      /** Only documents whose own time is before this moment. */
      to: Schema.optionalKey(ClientTimestamp),
      /** Words, each of which occurs in the title or the external id; ASCII letters in either case. */
      q: Schema.optionalKey(text(1, 1_000)),
      /** Only documents that lie in the present range of the context, or only those outside of it. */
      in_context: Schema.optionalKey(Parameters.boolean),
      /** What to sort by, with `-` from the highest down. A document without a title is sorted by its external id. */
      sort: Schema.optionalKey(DocumentSort)
    },
    success: DocumentList
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(ForTokens, "narrowed"),
  /**
   * Delete many documents. Documents of any source, by their ids or by a filter. With a filter, `confirm_total` has to
   * be the number of what it matches at that moment, or nothing is deleted. What changes meanwhile stays.
   */
  HttpApiEndpoint.post("deleteDocuments", "/v1/documents/delete", {
    payload: DocumentDeletion,
    success: DeletedDocuments,
    error: [ErrorBody.Conflict, ...ErrorBody.largeBodyErrors]
  }).annotate(BodyLimit, NAMES).annotate(RequiredScope, ["custom_connectors:ingest", "connections:write"]),
  /** Read a document. Any document of the workspace, with its text and what was sent for it. */
  HttpApiEndpoint.get("getDocument", "/v1/documents/:document_id", {
    params: { document_id: Schema.String },
    success: FullDocument,
    error: ErrorBody.DocumentNotFound
  }).annotate(RequiredScope, ["custom_connectors:read", "connections:read"]).annotate(ForTokens, "narrowed"),
  /** Delete a document. Any document of the workspace, gone at once from search, ask and the context. */
  HttpApiEndpoint.delete("deleteDocument", "/v1/documents/:document_id", {
    params: { document_id: Schema.String },
    success: Schema.Struct({
      ...outcome("deleted"),
      document_id: DocumentId,
      /** The id that the client gave the item, or that was made for it. */
      external_id: Schema.String
    }),
    error: ErrorBody.DocumentNotFound
  }).annotate(RequiredScope, ["custom_connectors:ingest", "connections:write"])
).middleware(Validation).middleware(Authorization) {}
