/** Documents: lists, single ones, and their deletion. */
import type { DocumentDeletion, DocumentFilter, DocumentSort } from "@tributary/core/model/DocumentList"
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { DeletedDocuments, Document, DocumentList, FullDocument } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"

/** Filters and sorting of a list of documents. */
type Browsing = { readonly [Name in keyof DocumentFilter]?: NonNullable<DocumentFilter[Name]> } & {
  readonly sort?: DocumentSort
}

export const documents = ({ api, call, pages }: ConnectedClient) => ({
  list: (connector_id: string, query: { readonly external_id?: string } = {}, options: Listing = {}): Pages<Document> =>
    pages("documents", query, options, (query) => api.documents.listDocuments({ params: { connector_id }, query })),
  /** A page of all documents of the workspace, with the number of matches. */
  browse: (
    query: Browsing & { readonly limit?: number; readonly cursor?: string } = {},
    options?: CallOptions
  ): Promise<DocumentList> => call(api.documents.browseDocuments({ query: omitUndefined(query) }), options),
  /** All of it, page by page. */
  browseAll: (query: Browsing = {}, options: Listing = {}): Pages<Document> =>
    pages("documents", query, options, (query) => api.documents.browseDocuments({ query })),
  /** By ids or by a filter; with a filter, the number of matches must be confirmed. */
  deleteSelected: (deletion: DocumentDeletion, options?: CallOptions): Promise<DeletedDocuments> =>
    call(api.documents.deleteDocuments({ payload: omitUndefined(deletion) }), options),
  get: (document_id: string, options?: CallOptions): Promise<FullDocument> =>
    call(api.documents.getDocument({ params: { document_id } }), options),
  delete: (
    document_id: string,
    options?: CallOptions
  ): Promise<{ readonly status: "deleted"; readonly document_id: string; readonly external_id: string }> =>
    call(api.documents.deleteDocument({ params: { document_id } }), options),
  /** Ids that mean something in a path, `.` and `..`, are found by `list` only. */
  getByExternalId: (connector_id: string, external_id: string, options?: CallOptions): Promise<FullDocument> =>
    call(api.documents.getConnectorDocument({ params: { connector_id, external_id } }), options),
  deleteByExternalId: (connector_id: string, external_id: string, options?: CallOptions) =>
    call(api.documents.deleteConnectorDocument({ params: { connector_id, external_id } }), options),
  deleteMany: (connector_id: string, external_ids: ReadonlyArray<string>, options?: CallOptions) =>
    call(api.documents.deleteConnectorDocuments({ params: { connector_id }, payload: { external_ids } }), options)
})
