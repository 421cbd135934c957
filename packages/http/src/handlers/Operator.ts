/** The operator API: accounts, workspaces, plans, keys and operators. Changes are logged. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Connections } from "@tributary/core/Connections"
import { Invitations } from "@tributary/core/Invitations"
import { NotFound } from "@tributary/core/model/Error"
import type { OperatorCaller } from "@tributary/core/model/Operator"
import { OPERATOR } from "@tributary/core/model/Principal"
import { limitsFor, type WorkspaceRecord } from "@tributary/core/model/Workspace"
import { OperatorLog } from "@tributary/core/OperatorLog"
import { Operators } from "@tributary/core/Operators"
import { People } from "@tributary/core/People"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect } from "effect"
import { linkAt } from "../signIn/SignInLink.ts"
import type { Operator } from "../api/Operator.ts"
import { page, toPageRequest } from "./paging.ts"
import { logging } from "../middleware/OperatorLogging.ts"
import type { Handlers } from "./Handlers.ts"

type OperatorHandlers = Handlers<typeof Operator, OperatorCaller>
type Reads = "listAllWorkspaces" | "listApiKeys" | "listOperators" | "readOperatorLog"

const nobodySignsIn = () => new NotFound({ message: "Nobody signs in here: no people are kept." })

const withLimits = (workspace: WorkspaceRecord) => ({ ...workspace, limits: limitsFor(workspace) })

export const operator = Effect.fnUntraced(function*(baseUrl: string) {
  const workspaces = yield* Workspaces
  const keys = yield* ApiKeys
  const people = yield* Effect.serviceOption(People)
  const invitations = yield* Effect.serviceOption(Invitations)
  const connections = yield* Connections
  const operators = yield* Operators
  const log = yield* OperatorLog
  const logged = yield* logging

  const changes = logged<Omit<OperatorHandlers, Reads>>({
    createAccount: ({ payload }) => workspaces.createAccount(payload),
    deleteAccount: ({ params }) =>
      Effect.map(workspaces.eraseAccount(params.account_id), (account_id) => ({ status: "deleted", account_id })),
    setAccountOwner: ({ params, payload }) =>
      Effect.fromOption(people, nobodySignsIn).pipe(
        Effect.flatMap(({ setOwner }) => setOwner(params.account_id, payload.email ?? null)),
        Effect.map(({ email, user_id }) => ({ status: "set", user_id, email }))
      ),
    addWorkspace: ({ payload }) => workspaces.addShared(payload.account_id, payload.name),
    updateWorkspace: ({ params, payload }) => Effect.map(workspaces.update(params.workspace_id, payload), withLimits),
    deleteWorkspace: ({ params }) =>
      Effect.map(workspaces.erase(params.workspace_id), (workspace_id) => ({ status: "deleted", workspace_id })),
    createApiKey: ({ params, payload }) => keys.create(params.workspace_id, payload, OPERATOR),
    revokeApiKey: ({ params }) =>
      Effect.map(keys.revoke(params.key_id, null, OPERATOR), ({ key_id }) => ({ status: "revoked", key_id })),
    createSignInLink: ({ payload }) =>
      Effect.fromOption(invitations, nobodySignsIn).pipe(
        Effect.flatMap(({ signInLink }) => signInLink(payload)),
        Effect.map(({ user: { email, name, user_id }, ...link }) => ({
          ...linkAt(baseUrl, link),
          user_id,
          email,
          name
        }))
      ),
    createOperator: ({ payload }) => operators.create(payload),
    revokeOperator: ({ params }) =>
      Effect.map(operators.revoke(params.operator_id), ({ operator_id }) => ({ status: "revoked", operator_id })),
    rewrapSecrets: () => connections.rewrap
  })
  const handlers: OperatorHandlers = {
    ...changes,
    listAllWorkspaces: ({ query }) =>
      Effect.map(
        workspaces.list(null, toPageRequest(query)),
        ({ items, next }) => page("workspaces")({ items: items.map(withLimits), next })
      ),
    listApiKeys: ({ params }) => Effect.map(keys.list(params.workspace_id), (api_keys) => ({ api_keys })),
    listOperators: () => Effect.map(operators.list, (operators) => ({ operators })),
    readOperatorLog: ({ query }) => Effect.map(log.list(toPageRequest(query), query.after ?? 0), page("entries"))
  }
  return handlers
})
