/** Workspaces, their tokens, usage and audit log. */
import { type CallOptions, omitUndefined } from "../calling.ts"
import type { Listing } from "../paging.ts"
import type { AuditEntry, CreatedWorkspace, IssuedToken, Usage, UsageHistory, Workspace } from "../models.ts"
import type { Pages } from "../Pages.ts"
import type { ConnectedClient } from "./ConnectedClient.ts"
import type { AuditFilter, NewToken } from "../requests/requests.ts"

export const workspaces = ({ api, call, pages }: ConnectedClient) => ({
  /** Creates a shared workspace in the account of this key, with its first key, whose `secret` is shown only here. */
  create: (workspace: { readonly name: string }, options?: CallOptions): Promise<CreatedWorkspace> =>
    call(api.workspaces.createWorkspace({ payload: omitUndefined(workspace) }), options),
  /** The workspaces of the account of this key. */
  list: (options: Listing = {}): Pages<Workspace> =>
    pages("workspaces", {}, options, (query) => api.workspaces.listWorkspaces({ query: omitUndefined(query) }))
})

export const tokens = ({ api, call }: ConnectedClient) => ({
  /**
   * Creates a token for one of your users, with fewer scopes and documents than this client's key, for a limited
   * time.
   */
  create: (token: NewToken, options?: CallOptions): Promise<IssuedToken> =>
    call(api.tokens.createToken({ payload: omitUndefined(token) }), options)
})

export const auditLog =
  ({ api, pages }: ConnectedClient) =>
  (query: AuditFilter & { readonly export?: boolean | undefined } = {}, options: Listing = {}): Pages<AuditEntry> =>
    pages("entries", query, options, (query) => api.audit.listAuditLog({ query: omitUndefined(query) }))

export const usage = ({ api, call }: ConnectedClient) => (options?: CallOptions): Promise<Usage> =>
  call(api.workspaces.getUsage(), options)

export const usageHistory =
  ({ api, call }: ConnectedClient) =>
  (query: { readonly days?: number | undefined } = {}, options?: CallOptions): Promise<UsageHistory> =>
    call(api.workspaces.getUsageHistory({ query: omitUndefined(query) }), options)
