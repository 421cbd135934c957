/** Workspaces, their tokens, usage and audit log. */
import type { AuditFilter } from "@tributary/core/model/AuditEntry"
import type { NewToken } from "@tributary/core/model/Token"
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"

export const workspaces = ({ api, call, pages }: ConnectedClient) => ({
  create: (workspace: { readonly name: string }, options?: CallOptions) =>
    call(api.workspaces.createWorkspace({ payload: omitUndefined(workspace) }), options),
  list: (options: Listing = {}) => pages("workspaces", {}, options, (query) => api.workspaces.listWorkspaces({ query }))
})

export const tokens = ({ api, call }: ConnectedClient) => ({
  /**
   * Creates a token for one of your users, with fewer scopes and documents than this client's key, for a limited
   * time.
   */
  create: (token: NewToken, options?: CallOptions) =>
    call(api.tokens.createToken({ payload: omitUndefined(token) }), options)
})

export const auditLog =
  ({ api, pages }: ConnectedClient) =>
  (query: AuditFilter & { readonly export?: boolean } = {}, options: Listing = {}) =>
    pages("entries", query, options, (query) => api.audit.listAuditLog({ query }))

export const usage = ({ api, call }: ConnectedClient) => (options?: CallOptions) =>
  call(api.workspaces.getUsage(), options)

export const usageHistory =
  ({ api, call }: ConnectedClient) => (query: { readonly days?: number } = {}, options?: CallOptions) =>
    call(api.workspaces.getUsageHistory({ query: omitUndefined(query) }), options)
