/** Workspaces, members, invitations and keys for a signed-in user. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Documents } from "@tributary/core/Documents"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { Invitations } from "@tributary/core/Invitations"
import { workspaceSuspended } from "@tributary/core/model/Error"
import type { User } from "@tributary/core/model/Person"
import { People } from "@tributary/core/People"
import * as Core from "@tributary/core/Workspaces"
import { Effect } from "effect"
import type { ConsoleWorkspaces } from "../api/ConsoleWorkspaces.ts"
import { toPageRequest } from "../api/Parameters.ts"
import type { SessionCaller } from "../middleware/Session.ts"
import { wantsEvents } from "../response/Accept.ts"
import type { Handlers } from "../Handlers.ts"
import { followEvents, onlyStreamed } from "./followEvents.ts"
import { invitationAt } from "../signIn/SignInLink.ts"

/** As many as a person reads. */
const LATEST_EVENTS = 50

interface InWorkspace {
  readonly caller: SessionCaller
  readonly params: { readonly workspace_id: string }
}

export const consoleWorkspaces = Effect.fnUntraced(function*(baseUrl: string) {
  const people = yield* People
  const invitations = yield* Invitations
  const keys = yield* ApiKeys
  const knowledge = yield* KnowledgeContext
  const documents = yield* Documents
  const workspaces = yield* Core.Workspaces

  const asMember = ({ caller, params }: InWorkspace) => people.permitted(caller.user, params.workspace_id, "member")
  /** Its content is closed while it is suspended, as on the public API. */
  const readable = (user: User, workspaceId: string) =>
    Effect.filterOrFail(
      people.permitted(user, workspaceId, "member"),
      ({ suspended }) => !suspended,
      workspaceSuspended
    )
  const asReader = ({ caller, params }: InWorkspace) => readable(caller.user, params.workspace_id)
  const asOwner = ({ caller, params }: InWorkspace) => people.permitted(caller.user, params.workspace_id, "owner")

  const handlers: Handlers<typeof ConsoleWorkspaces, SessionCaller> = {
    listOwnWorkspaces: ({ caller, query }) =>
      Effect.map(people.workspaces(caller.user, toPageRequest(query)), ({ items, next }) => ({
        workspaces: items.map(({ role, workspace }) => ({ ...workspace, role })),
        next_cursor: next
      })),
    openWorkspace: ({ caller, payload }) =>
      Effect.flatMap(
        people.permittedAccount(caller.user),
        (personal) => workspaces.createShared(personal, payload.name, caller.principal)
      ),
    renameWorkspace: (input) =>
      Effect.flatMap(
        asOwner(input),
        ({ workspace_id }) => workspaces.rename(workspace_id, input.payload.name, input.caller.principal)
      ),

    listMembers: (input) =>
      Effect.map(
        Effect.flatMap(asMember(input), (workspace) => people.members(workspace, toPageRequest(input.query))),
        ({ items, next }) => ({ members: items, next_cursor: next })
      ),
    changeMember: (input) =>
      Effect.flatMap(
        asOwner(input),
        (workspace) => people.setRole(input.caller.user, workspace, input.params.user_id, input.payload.role)
      ).pipe(
        Effect.map((user_id) => ({ status: "changed", user_id }))
      ),
    removeMember: (input) =>
      Effect.flatMap(
        asOwner(input),
        (workspace) => people.setRole(input.caller.user, workspace, input.params.user_id, null)
      ).pipe(
        Effect.map((user_id) => ({ status: "removed", user_id }))
      ),

    listInvitations: (input) =>
      Effect.map(Effect.flatMap(asOwner(input), invitations.list), (invitations) => ({ invitations })),
    invite: (input) =>
      Effect.flatMap(asOwner(input), (workspace) => invitations.invite(input.caller.user, workspace, input.payload))
        .pipe(
          Effect.map((invited) =>
            invited === null
              ? { status: "joined", invitation: null, link: null }
              : { status: "invited", invitation: invited.invitation, link: invitationAt(baseUrl, invited.link) }
          )
        ),
    renewInvitationLink: (input) =>
      Effect.flatMap(
        asOwner(input),
        (workspace) => invitations.renewLink(input.caller.user, workspace, input.params.invitation_id)
      ).pipe(
        Effect.map((link) => invitationAt(baseUrl, link))
      ),
    revokeInvitation: (input) =>
      Effect.flatMap(
        asOwner(input),
        (workspace) => invitations.revoke(input.caller.user, workspace, input.params.invitation_id)
      ).pipe(
        Effect.map((invitation_id) => ({ status: "revoked", invitation_id }))
      ),

    listKeys: (input) =>
      Effect.flatMap(asOwner(input), ({ workspace_id }) => keys.list(workspace_id)).pipe(
        Effect.map((api_keys) => ({ api_keys }))
      ),
    createKey: (input) =>
      Effect.flatMap(
        asOwner(input),
        ({ workspace_id }) => keys.create(workspace_id, input.payload, input.caller.principal)
      ),
    keyTraffic: (input) =>
      Effect.flatMap(asOwner(input), ({ workspace_id }) => keys.traffic(workspace_id)).pipe(
        Effect.map((traffic) => ({ traffic }))
      ),
    revokeKey: (input) =>
      Effect.flatMap(
        asOwner(input),
        ({ workspace_id }) => keys.revoke(input.params.key_id, workspace_id, input.caller.principal)
      ).pipe(
        Effect.map(({ key_id }) => ({ status: "revoked", key_id }))
      ),

    readTimeline: (input) =>
      Effect.flatMap(asReader(input), ({ workspace_id }) => knowledge.timeline(workspace_id, input.payload)),

    latestEvents: (input) =>
      Effect.map(
        Effect.flatMap(asReader(input), ({ workspace_id }) => documents.latestEvents(workspace_id, LATEST_EVENTS)),
        (events) => ({ events })
      ),
    followEvents: ({ caller, payload, request }) =>
      wantsEvents(request)
        ? followEvents(documents, (id) => readable(caller.user, id), payload.workspaces)
        : Effect.fail(onlyStreamed(request.headers["accept"]))
  }
  return handlers
})
