/** The operator API for plain TypeScript: accounts, workspaces, plans, keys and operators. */
import type { Rewrapped } from "@tributary/core/model/Connection"
import type { IssuedOperator as Issued, NewOperator, Operator as Named } from "@tributary/core/model/Operator"
import type { OperatorLogEntry as LogEntry } from "@tributary/core/model/OperatorLogEntry"
import type { NewSignInLink, UserSignInLink } from "@tributary/core/model/Session"
import type { OperatedWorkspace as Operated } from "@tributary/http/api/Operator"
import { Effect } from "effect"
import { type CallOptions, omitUndefined } from "./calling.ts"
import { connect, type Connected, CONNECTION, type Connection } from "./connecting.ts"
import type { ApiKey, IssuedApiKey, Workspace } from "./models.ts"
import { checkNames, type Names } from "./optionNames.ts"
import type { Pages } from "./Pages.ts"
import { LISTING, type Listing } from "./paging.ts"
import type { Given } from "./requests/Given.ts"
import { OperatorClient } from "./OperatorClient.ts"
import type { NewAccount, NewApiKey, WorkspacePatch } from "./requests/requests.ts"

/** A workspace with its account and its effective limits. */
export interface OperatedWorkspace extends Operated {}
export interface SignInLink extends UserSignInLink {}
/** One who has a token. */
export interface NamedOperator extends Named {}
export interface IssuedOperator extends Issued {}
export interface OperatorLogEntry extends LogEntry {}

/** Which entries of the operators' log are listed. */
export interface LogListing extends Listing {
  readonly after?: number | undefined
}

const LOG_LISTING: Names<LogListing> = { ...LISTING, after: true }

const operatorOf = ({ api: { operator }, call, pages }: Connected<OperatorClient, OperatorClient["Service"]>) => ({
  accounts: {
    /** Creates an account with its personal workspace. */
    create: (
      account: NewAccount,
      options?: CallOptions
    ): Promise<{ readonly account_id: string; readonly personal_workspace: Workspace }> =>
      call(operator.createAccount({ payload: omitUndefined(account) }), options),
    /** Deletes an account with all its workspaces at once; their data is erased in the background. */
    delete: (
      account_id: string,
      options?: CallOptions
    ): Promise<{ readonly status: "deleted"; readonly account_id: string }> =>
      call(operator.deleteAccount({ params: { account_id } }), options),
    /** Gives the account back to its owner, or to the user with the e-mail. */
    setOwner: (
      account_id: string,
      owner: { readonly email?: string | null | undefined } = {},
      options?: CallOptions
    ): Promise<{ readonly status: "set"; readonly user_id: string; readonly email: string | null }> =>
      call(operator.setAccountOwner({ params: { account_id }, payload: omitUndefined(owner) }), options)
  },
  workspaces: {
    /** Creates a shared workspace in an account. */
    create: (
      workspace: { readonly account_id: string; readonly name: string },
      options?: CallOptions
    ): Promise<Workspace> => call(operator.addWorkspace({ payload: omitUndefined(workspace) }), options),
    /** The workspaces of all accounts, oldest first. */
    list: (options: Listing = {}): Pages<OperatedWorkspace> =>
      pages("workspaces", {}, options, (query) => operator.listAllWorkspaces({ query: omitUndefined(query) })),
    /** Changes the plan or single limits of a workspace, or suspends it. */
    update: (workspace_id: string, patch: WorkspacePatch, options?: CallOptions): Promise<OperatedWorkspace> =>
      call(operator.updateWorkspace({ params: { workspace_id }, payload: omitUndefined(patch) }), options),
    /** Deletes a workspace at once; its data is erased in the background. */
    delete: (
      workspace_id: string,
      options?: CallOptions
    ): Promise<{ readonly status: "deleted"; readonly workspace_id: string }> =>
      call(operator.deleteWorkspace({ params: { workspace_id } }), options)
  },
  signInLinks: {
    /**
     * A link for the user with the e-mail, or else for the owner of the account; it opens the console once, within 15
     * minutes.
     */
    create: (wanted: Given<NewSignInLink> = {}, options?: CallOptions): Promise<SignInLink> =>
      call(operator.createSignInLink({ payload: omitUndefined(wanted) }), options)
  },
  secrets: {
    /** Encrypts the secrets of all connections and webhooks with the first of the server's keys. */
    rewrap: (options?: CallOptions): Promise<Rewrapped> => call(operator.rewrapSecrets(), options)
  },
  keys: {
    /** Creates an API key of a workspace. Its `secret` is shown only here. */
    create: (workspace_id: string, key: NewApiKey, options?: CallOptions): Promise<IssuedApiKey> =>
      call(operator.createApiKey({ params: { workspace_id }, payload: omitUndefined(key) }), options),
    /** The API keys of a workspace, without their secrets. */
    list: (workspace_id: string, options?: CallOptions): Promise<ReadonlyArray<ApiKey>> =>
      call(Effect.map(operator.listApiKeys({ params: { workspace_id } }), ({ api_keys }) => api_keys), options),
    /** Revokes an API key: it is refused from now on. */
    revoke: (key_id: string, options?: CallOptions): Promise<{ readonly status: "revoked"; readonly key_id: string }> =>
      call(operator.revokeApiKey({ params: { key_id } }), options)
  },
  operators: {
    /** Creates an operator with a token of their own, which is shown only here. */
    create: (wanted: Given<NewOperator>, options?: CallOptions): Promise<IssuedOperator> =>
      call(operator.createOperator({ payload: omitUndefined(wanted) }), options),
    /** All named operators, without their tokens. */
    list: (options?: CallOptions): Promise<ReadonlyArray<NamedOperator>> =>
      call(Effect.map(operator.listOperators(), ({ operators }) => operators), options),
    /** Revokes the token of an operator. */
    revoke: (
      operator_id: string,
      options?: CallOptions
    ): Promise<{ readonly status: "revoked"; readonly operator_id: string }> =>
      call(operator.revokeOperator({ params: { operator_id } }), options)
  },
  /** The log of operators, oldest first; `after` is the sequence of the last known entry. */
  auditLog: (options: LogListing = {}): Pages<OperatorLogEntry> => {
    checkNames(LOG_LISTING, options)
    const { after = 0, ...rest } = options
    return pages("entries", { after }, rest, (query) => operator.readOperatorLog({ query: omitUndefined(query) }))
  }
})

/** The operations of the operator API, by what they act on. */
export interface Operator extends ReturnType<typeof operatorOf> {}

/** A client of the operator API. `apiKey` is an operator's token, not a key of a workspace. */
export const createOperator = (connection: Connection): Operator => {
  checkNames(CONNECTION, connection)
  const { apiKey, ...service } = connection
  return operatorOf(connect(OperatorClient, OperatorClient.layer, service)(apiKey))
}
