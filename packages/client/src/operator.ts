/** The operator API for plain TypeScript: accounts, workspaces, plans, keys and operators. */
import type { NewApiKey } from "@tributary/core/model/ApiKey"
import type { NewOperator } from "@tributary/core/model/Operator"
import type { NewSignInLink } from "@tributary/core/model/Session"
import type { NewAccount, WorkspacePatch } from "@tributary/core/model/Workspace"
import { Effect } from "effect"
import { type CallOptions, omitUndefined } from "./calling.ts"
import { connect, CONNECTION, type Connection } from "./connecting.ts"
import { checkNames, type Names } from "./optionNames.ts"
import { LISTING, type Listing } from "./paging.ts"
import { OperatorClient } from "./OperatorClient.ts"

/** Which entries of the operators' log are listed. */
interface LogListing extends Listing {
  readonly after?: number
}

const LOG_LISTING: Names<LogListing> = { ...LISTING, after: true }

/** `apiKey` is an operator's token. */
export const createOperator = (connection: Connection) => {
  checkNames(CONNECTION, connection)
  const { apiKey, ...service } = connection
  const { api: { operator }, call, pages } = connect(OperatorClient, OperatorClient.layer, service)(apiKey)

  return {
    accounts: {
      /** Creates an account with its personal workspace. */
      create: (account: NewAccount, options?: CallOptions) =>
        call(operator.createAccount({ payload: omitUndefined(account) }), options),
      delete: (account_id: string, options?: CallOptions) =>
        call(operator.deleteAccount({ params: { account_id } }), options),
      /** Gives the account back to its owner, or to the user with the e-mail. */
      setOwner: (account_id: string, owner: { readonly email?: string | null } = {}, options?: CallOptions) =>
        call(operator.setAccountOwner({ params: { account_id }, payload: omitUndefined(owner) }), options)
    },
    workspaces: {
      create: (workspace: { readonly account_id: string; readonly name: string }, options?: CallOptions) =>
        call(operator.addWorkspace({ payload: omitUndefined(workspace) }), options),
      /** The workspaces of all accounts, oldest first. */
      list: (options: Listing = {}) =>
        pages("workspaces", {}, options, (query) => operator.listAllWorkspaces({ query })),
      update: (workspace_id: string, patch: WorkspacePatch, options?: CallOptions) =>
        call(operator.updateWorkspace({ params: { workspace_id }, payload: omitUndefined(patch) }), options),
      delete: (workspace_id: string, options?: CallOptions) =>
        call(operator.deleteWorkspace({ params: { workspace_id } }), options)
    },
    signInLinks: {
      /**
       * A link for the user with the e-mail, or else for the owner of the account; it opens the console once, within 15
       * minutes.
       */
      create: (wanted: NewSignInLink = {}, options?: CallOptions) =>
        call(operator.createSignInLink({ payload: omitUndefined(wanted) }), options)
    },
    secrets: {
      /** Encrypts the secrets of all connections and webhooks with the first of the server's keys. */
      rewrap: (options?: CallOptions) => call(operator.rewrapSecrets(), options)
    },
    keys: {
      create: (workspace_id: string, key: NewApiKey, options?: CallOptions) =>
        call(operator.createApiKey({ params: { workspace_id }, payload: omitUndefined(key) }), options),
      list: (workspace_id: string, options?: CallOptions) =>
        call(Effect.map(operator.listApiKeys({ params: { workspace_id } }), ({ api_keys }) => api_keys), options),
      revoke: (key_id: string, options?: CallOptions) => call(operator.revokeApiKey({ params: { key_id } }), options)
    },
    operators: {
      create: (wanted: NewOperator, options?: CallOptions) =>
        call(operator.createOperator({ payload: omitUndefined(wanted) }), options),
      list: (options?: CallOptions) =>
        call(Effect.map(operator.listOperators(), ({ operators }) => operators), options),
      revoke: (operator_id: string, options?: CallOptions) =>
        call(operator.revokeOperator({ params: { operator_id } }), options)
    },
    /** The log of operators, oldest first; `after` is the sequence of the last known entry. */
    auditLog: (options: LogListing = {}) => {
      checkNames(LOG_LISTING, options)
      const { after = 0, ...rest } = options
      return pages("entries", { after }, rest, (query) => operator.readOperatorLog({ query }))
    }
  }
}

export type Operator = ReturnType<typeof createOperator>
