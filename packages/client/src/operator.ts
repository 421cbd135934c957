/** The operator API for plain TypeScript: accounts, workspaces, plans and keys. */
import type { NewApiKey } from "@tributary/core/model/ApiKey"
import type { NewSignInLink } from "@tributary/core/model/Session"
import type { NewAccount, WorkspacePatch } from "@tributary/core/model/Workspace"
import { Effect } from "effect"
import { type CallOptions, given } from "./calling.ts"
import { connect, type Connection } from "./connecting.ts"
import { type Listing, paging } from "./paging.ts"
import { OperatorClient } from "./OperatorClient.ts"

/** `apiKey` is the operator's token. */
export const createOperator = ({ apiKey, ...service }: Connection) => {
  const { api: { operator }, call } = connect(OperatorClient, OperatorClient.layer, service)(apiKey)
  const pages = paging(call)

  return {
    accounts: {
      /** With its personal workspace. */
      create: (account: NewAccount, options?: CallOptions) =>
        call(operator.createAccount({ payload: given(account) }), options),
      delete: (account_id: string, options?: CallOptions) =>
        call(operator.deleteAccount({ params: { account_id } }), options)
    },
    workspaces: {
      create: (workspace: { readonly account_id: string; readonly name: string }, options?: CallOptions) =>
        call(operator.addWorkspace({ payload: workspace }), options),
      /** Of all accounts, oldest first. */
      list: (options: Listing = {}) =>
        pages(options, (query) =>
          operator.listAllWorkspaces({ query }).pipe(
            Effect.map(({ next_cursor, workspaces }) => ({ items: workspaces, next_cursor }))
          )),
      update: (workspace_id: string, patch: WorkspacePatch, options?: CallOptions) =>
        call(operator.updateWorkspace({ params: { workspace_id }, payload: given(patch) }), options),
      delete: (workspace_id: string, options?: CallOptions) =>
        call(operator.deleteWorkspace({ params: { workspace_id } }), options)
    },
    signInLinks: {
      /** For the user with the e-mail, or else the owner of the account; opens the console once, within 15 minutes. */
      create: (wanted: NewSignInLink = {}, options?: CallOptions) =>
        call(operator.createSignInLink({ payload: given(wanted) }), options)
    },
    keys: {
      create: (workspace_id: string, key: NewApiKey, options?: CallOptions) =>
        call(operator.createApiKey({ params: { workspace_id }, payload: given(key) }), options),
      list: (workspace_id: string, options?: CallOptions) =>
        call(Effect.map(operator.listApiKeys({ params: { workspace_id } }), ({ api_keys }) => api_keys), options),
      revoke: (key_id: string, options?: CallOptions) => call(operator.revokeApiKey({ params: { key_id } }), options)
    }
  }
}

export type Operator = ReturnType<typeof createOperator>
