/** The operator API: accounts, workspaces, plans and keys. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Invitations } from "@tributary/core/Invitations"
import { AccountId, WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { limitsFor, type WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect } from "effect"
import { linkAt } from "../signIn/SignInLink.ts"
import type { Operator } from "../api/Operator.ts"
import { toPageRequest } from "../api/Parameters.ts"
import type { Handlers } from "../Routes.ts"

const withLimits = (workspace: WorkspaceRecord) => ({ ...workspace, limits: limitsFor(workspace) })

export const operator = Effect.fnUntraced(function*(baseUrl: string) {
  const workspaces = yield* Workspaces
  const keys = yield* ApiKeys
  const invitations = yield* Invitations

  const handlers: Handlers<typeof Operator> = {
    createAccount: ({ payload }) => workspaces.createAccount(payload),
    deleteAccount: ({ params }) =>
      Effect.map(workspaces.eraseAccount(params.account_id), () => ({
        status: "deleted",
        // It was found, so it is one.
        account_id: AccountId.make(params.account_id.toLowerCase())
      })),
    addWorkspace: ({ payload }) => workspaces.addShared(payload.account_id, payload.name),
    listAllWorkspaces: ({ query }) =>
      Effect.map(workspaces.list(null, toPageRequest(query)), ({ items, next }) => ({
        workspaces: items.map(withLimits),
        next_cursor: next
      })),
    updateWorkspace: ({ params, payload }) => Effect.map(workspaces.update(params.workspace_id, payload), withLimits),
    deleteWorkspace: ({ params }) =>
      Effect.map(workspaces.erase(params.workspace_id), () => ({
        status: "deleted",
        workspace_id: WorkspaceId.make(params.workspace_id.toLowerCase())
      })),
    createApiKey: ({ params, payload }) => keys.create(params.workspace_id, payload, OPERATOR),
    listApiKeys: ({ params }) => Effect.map(keys.list(params.workspace_id), (api_keys) => ({ api_keys })),
    revokeApiKey: ({ params }) =>
      Effect.map(keys.revoke(params.key_id, null, OPERATOR), ({ key_id }) => ({ status: "revoked", key_id })),
    createSignInLink: ({ payload }) =>
      Effect.map(invitations.signInLink(payload), ({ user: { email, name, user_id }, ...link }) => ({
        ...linkAt(baseUrl, link),
        user_id,
        email,
        name
      }))
  }
  return handlers
})
