/** Documents: listed, read and deleted by id or by external id. */
import { Document, FullDocument } from "@tributary/core/model/Document"
import { DeletedDocuments, DocumentDeletion, DocumentList, DocumentSort } from "@tributary/core/model/DocumentList"
import { DocumentId } from "@tributary/core/model/Id"
import { ExternalIds } from "@tributary/core/model/Ingest"
import { nextPage } from "@tributary/core/model/Page"
import { text, Words } from "@tributary/core/model/Text"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import { BodyLimit, NAMES } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const ofConnector = { connector_id: Schema.String }
const byExternalId = {
  ...ofConnector,
  /** The external id of the document, percent-encoded. */
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
      /** The documents, without their text. */
      documents: Schema.Array(Document),
      ...nextPage
    }),
    error: ErrorBody.ConnectorNotFound
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(TokenAccess, "filtered"),
  /**
   * Read a document by its external id. The id is percent-encoded in the path. Ids that a path cannot contain, such as
   * `..`, need the document id instead.
   */
  HttpApiEndpoint.get("getConnectorDocument", `${CONNECTOR}/:external_id`, {
    params: byExternalId,
    success: FullDocument,
    error: [ErrorBody.ConnectorNotFound, ErrorBody.DocumentNotFound]
  }).annotate(RequiredScope, ["custom_connectors:read"]).annotate(TokenAccess, "filtered"),
  /** Delete a document by its external id. Its storage is available again at once. */
  HttpApiEndpoint.delete("deleteConnectorDocument", `${CONNECTOR}/:external_id`, {
    params: byExternalId,
    success: Schema.Struct({
      ...outcome("deleted"),
      /** The id that the client chose, or a generated one. */
      external_id: Schema.String
    }),
    error: [ErrorBody.ConnectorNotFound, ErrorBody.DocumentNotFound]
  }).annotate(RequiredScope, ["custom_connectors:ingest"]),
  /** Delete many documents. Returns the ids of those that existed. */
  HttpApiEndpoint.post("deleteConnectorDocuments", `${CONNECTOR}/delete`, {
    params: ofConnector,
    payload: ExternalIds,
    success: Schema.Struct({
      ...outcome("deleted"),
      /** The external ids of the deleted documents. */
      external_ids: Schema.Array(Schema.String)
    }),
    error: [ErrorBody.ConnectorNotFound, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, NAMES).annotate(RequiredScope, ["custom_connectors:ingest"]),
  /**
   * List all documents. Every document of the workspace, without its text: filtered, sorted, and counted up to 10,000.
   */
  HttpApiEndpoint.get("browseDocuments", "/v1/documents", {
    query: {
      ...Parameters.longPaging,
      /**
       * Only documents of this source: `custom:<source_name>`, `<provider>:<connection_id>`, or only the part before
       * the colon.
       */
      source: Schema.optionalKey(text(1, 200)),
      /** Only documents of this kind. */
      kind: Schema.optionalKey(text(1, 64)),
      /** Only documents of this connector. */
      connector_id: Schema.optionalKey(text(1, 100)),
      /** Only documents of this connection. */
      connection_id: Schema.optionalKey(text(1, 100)),
      /** Only documents from this time on. A document with a duration counts if it overlaps the range. */
      from: Schema.optionalKey(ClientTimestamp),
      /** Only documents before this time. */
      to: Schema.optionalKey(ClientTimestamp),
      /** Words that must all appear in the title or the external id. ASCII letters match in either case. */
      q: Schema.optionalKey(Words),
      /** Only documents inside the current range of the context, or only those outside it. */
      in_context: Schema.optionalKey(Parameters.boolean),
      /**
       * The sort key, descending with `-`. A document without a title is sorted by its external id.
       * @default "-timestamp"
       */
      sort: Schema.optionalKey(DocumentSort)
    },
    success: DocumentList
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(TokenAccess, "filtered"),
  /**
   * Delete many documents. Documents of any source, by their ids or by a filter. With a filter, `confirm_total` must be
   * the current number of matches, otherwise nothing is deleted, and a key also needs `knowledge:read`, because the
   * answer shows how many match. Documents that change meanwhile stay.
   */
  HttpApiEndpoint.post("deleteDocuments", "/v1/documents/delete", {
    payload: DocumentDeletion,
    success: DeletedDocuments,
    error: [ErrorBody.Conflict, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, NAMES).annotate(RequiredScope, ["custom_connectors:ingest", "connections:write"]),
  /** Read a document. Any document of the workspace, with its text and the stored payload. */
  HttpApiEndpoint.get("getDocument", "/v1/documents/:document_id", {
    params: { document_id: Schema.String },
    success: FullDocument,
    error: ErrorBody.DocumentNotFound
  }).annotate(RequiredScope, ["custom_connectors:read", "connections:read"]).annotate(TokenAccess, "filtered"),
  /** Delete a document. Any document of the workspace. It disappears at once from search, ask and the context. */
  HttpApiEndpoint.delete("deleteDocument", "/v1/documents/:document_id", {
    params: { document_id: Schema.String },
    success: Schema.Struct({
      ...outcome("deleted"),
      document_id: DocumentId,
      /** The id that the client chose, or a generated one. */
      external_id: Schema.String
    }),
    error: ErrorBody.DocumentNotFound
  }).annotate(RequiredScope, ["custom_connectors:ingest", "connections:write"])
).middleware(Validation).middleware(Authorization) {}
