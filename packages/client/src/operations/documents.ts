/** Documents: lists, single ones, and their deletion. */
import type { DocumentSort } from "@tributary/core/model/DocumentList"
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { DeletedDocuments, Document, DocumentList, FullDocument } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { DocumentDeletion, DocumentFilter } from "../requests/requests.ts"

/** Filters and sorting of a list of documents. */
type Browsing = { readonly [Name in keyof DocumentFilter]?: NonNullable<DocumentFilter[Name]> | undefined } & {
  readonly sort?: DocumentSort | undefined
}

export const documents = ({ api, call, pages }: ConnectedClient) => ({
  /** The documents of a connector, without their text; with `external_id`, at most one. */
  list: (
    connector_id: string,
    query: { readonly external_id?: string | undefined } = {},
    options: Listing = {}
  ): Pages<Document> =>
    pages(
      "documents",
      query,
      options,
      (query) => api.documents.listDocuments({ params: { connector_id }, query: omitUndefined(query) })
    ),
  /** One page of all documents of the workspace, filtered, sorted and counted. `browseAll` has every page. */
  browse: (
    query: Browsing & { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
    options?: CallOptions
  ): Promise<DocumentList> => call(api.documents.browseDocuments({ query: omitUndefined(query) }), options),
  /** All documents of the workspace that match, page by page, without their text. */
  browseAll: (query: Browsing = {}, options: Listing = {}): Pages<Document> =>
    pages("documents", query, options, (query) => api.documents.browseDocuments({ query: omitUndefined(query) })),
  /**
   * Deletes documents of any source by their ids, or by a filter. With a filter, `confirm_total` must be the number of
   * matches, otherwise nothing is deleted.
   */
  deleteSelected: (deletion: DocumentDeletion, options?: CallOptions): Promise<DeletedDocuments> =>
    call(api.documents.deleteDocuments({ payload: omitUndefined(deletion) }), options),
  /** A document with its text and its stored payload. Rejects with a `NotFoundError` if it does not exist. */
  get: (document_id: string, options?: CallOptions): Promise<FullDocument> =>
    call(api.documents.getDocument({ params: { document_id } }), options),
  /** Deletes a document. It disappears at once from searches and answers. */
  delete: (
    document_id: string,
    options?: CallOptions
  ): Promise<{ readonly status: "deleted"; readonly document_id: string; readonly external_id: string }> =>
    call(api.documents.deleteDocument({ params: { document_id } }), options),
  /** A document of a connector by the id that you gave it. The ids `.` and `..` are found by `list` only. */
  getByExternalId: (connector_id: string, external_id: string, options?: CallOptions): Promise<FullDocument> =>
    call(api.documents.getConnectorDocument({ params: { connector_id, external_id } }), options),
  /** Deletes a document of a connector by the id that you gave it. */
  deleteByExternalId: (connector_id: string, external_id: string, options?: CallOptions) =>
    call(api.documents.deleteConnectorDocument({ params: { connector_id, external_id } }), options),
  /** Deletes documents of a connector by the ids that you gave them, and returns the ids of those that existed. */
  deleteMany: (connector_id: string, external_ids: ReadonlyArray<string>, options?: CallOptions) =>
    call(api.documents.deleteConnectorDocuments({ params: { connector_id }, payload: { external_ids } }), options)
})
