/** Documents: listed, read and deleted by id or by external id. */
import * as Core from "@tributary/core/Documents"
import { scopesToDelete, scopeToDelete, scopeToRead } from "@tributary/core/documentScopes"
import { MAX_COUNTED } from "@tributary/core/model/DocumentList"
import { Effect } from "effect"
import type { Documents } from "../api/Documents.ts"
import { type Caller, requireScope } from "../middleware/Authorization.ts"
import type { Handlers } from "./Handlers.ts"
import { page, selectedPage, toPageRequest } from "./paging.ts"

export const documents = Effect.map(Core.Documents, (documents): Handlers<typeof Documents> => {
  const findFor = ({ scopes, workspace }: Caller, documentId: string, needed: typeof scopeToRead) =>
    Effect.tap(
      documents.find(workspace.workspace_id, documentId),
      (document) => requireScope(scopes, [needed(document)])
    )

  return {
    listDocuments: ({ caller: { workspace }, params, query }) =>
      Effect.map(
        documents.list(workspace.workspace_id, params.connector_id, query.external_id ?? null, toPageRequest(query)),
        page("documents")
      ),
    getConnectorDocument: ({ caller: { workspace }, params }) =>
      documents.findByExternalId(workspace.workspace_id, params.connector_id, params.external_id),
    deleteConnectorDocument: ({ caller: { workspace }, params: { connector_id, external_id } }) =>
      Effect.as(documents.deleteByExternalId(workspace.workspace_id, connector_id, external_id), {
        status: "deleted",
        external_id
      }),
    deleteConnectorDocuments: ({ caller: { workspace }, params, payload }) =>
      Effect.map(
        documents.deleteMany(workspace.workspace_id, params.connector_id, payload.external_ids),
        (external_ids) => ({ status: "deleted", external_ids })
      ),
    browseDocuments: ({ caller: { workspace }, query }) => {
      const { cursor, limit, sort = "-timestamp", ...filter } = query
      return Effect.map(
        documents.browse(workspace.workspace_id, filter, sort, toPageRequest({ cursor, limit })),
        ({ total, ...found }) => ({
          ...selectedPage("documents")(found),
          ...total > MAX_COUNTED ? { total_at_least: MAX_COUNTED } : { total }
        })
      )
    },
    deleteDocuments: Effect.fnUntraced(function*({ caller: { principal, scopes, workspace }, payload }) {
      // Whether a number is confirmed shows how many documents match.
      if (payload.filter) yield* requireScope(scopes, ["knowledge:read"])
      const selected = yield* documents.selected(workspace.workspace_id, payload)
      for (const needed of scopesToDelete(selected)) yield* requireScope(scopes, [needed])
      const document_ids = yield* documents.deleteSelected(workspace, selected, principal)
      return { status: "deleted" as const, deleted: document_ids.length, document_ids }
    }),
    getDocument: ({ caller, params }) => findFor(caller, params.document_id, scopeToRead),
    deleteDocument: ({ caller, params }) =>
      Effect.andThen(
        findFor(caller, params.document_id, scopeToDelete),
        Effect.map(
          documents.delete(caller.workspace, params.document_id, caller.principal),
          ({ document_id, external_id }) => ({ status: "deleted" as const, document_id, external_id })
        )
      )
  }
})
