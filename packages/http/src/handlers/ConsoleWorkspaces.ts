/** Workspaces, members, invitations and keys for a signed-in user. */
import { ownAccount } from "@tributary/core/accountWorkspaces"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Documents } from "@tributary/core/Documents"
import { followWorkspaces } from "@tributary/core/followWorkspaces"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { Invitations } from "@tributary/core/Invitations"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { People } from "@tributary/core/People"
import { Syncs } from "@tributary/core/Syncs"
import * as Core from "@tributary/core/Workspaces"
import { Effect, Stream } from "effect"
import type { ConsoleWorkspaces } from "../api/ConsoleWorkspaces.ts"
import type { SessionCaller } from "../middleware/SessionAuthorization.ts"
import { EventStream } from "../response/EventStreams.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"
import { invitationAt } from "../signIn/SignInLink.ts"

/** As many as a person reads. */
const LATEST_EVENTS = 50

const toEventStream = ({ access, events }: Effect.Success<ReturnType<Effect.Success<typeof followWorkspaces>>>) =>
  new EventStream(
    Stream.map(events, ({ event, seq, workspace_id }) => ({
      event: "change",
      data: { workspace_id, number: seq, event }
    })),
    access
  )

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
  const syncs = yield* Syncs
  const account = yield* ownAccount
  const follow = yield* followWorkspaces

  const permitted =
    (find: typeof people.readable) =>
    <Input extends InWorkspace, A, E>(act: (workspace: WorkspaceRecord, input: Input) => Effect.Effect<A, E>) =>
    (input: Input) =>
      Effect.flatMap(find(input.caller.user, input.params.workspace_id), (workspace) => act(workspace, input))
  const asMember = permitted((user, id) => people.permitted(user, id, "member"))
  const asOwner = permitted((user, id) => people.permitted(user, id, "owner"))
  const asReader = permitted((user, id) => people.readable(user, id))

  const handlers: Handlers<typeof ConsoleWorkspaces, SessionCaller> = {
    listOwnWorkspaces: ({ caller, query }) =>
      Effect.map(
        people.workspaces(caller.user, toPageRequest(query)),
        ({ items, next }) =>
          page("workspaces")({ items: items.map(({ role, workspace }) => ({ ...workspace, role })), next })
      ),
    openWorkspace: ({ caller, payload }) => account.createShared(caller.user, payload.name),
    renameWorkspace: asOwner(({ workspace_id }, { caller, payload }) =>
      workspaces.rename(workspace_id, payload.name, caller.principal)
    ),

    listMembers: asMember((workspace, { query }) =>
      Effect.map(people.members(workspace, toPageRequest(query)), page("members"))
    ),
    changeMember: asOwner((workspace, { caller, params, payload }) =>
      Effect.map(
        people.setRole(caller.user, workspace, params.user_id, payload.role),
        (user_id) => ({ status: "changed", user_id })
      )
    ),
    removeMember: asOwner((workspace, { caller, params }) =>
      Effect.map(
        people.setRole(caller.user, workspace, params.user_id, null),
        (user_id) => ({ status: "removed", user_id })
      )
    ),

    listInvitations: asOwner((workspace) =>
      Effect.map(invitations.list(workspace), (invitations) => ({ invitations }))
    ),
    invite: asOwner((workspace, { caller, payload }) =>
      Effect.map(
        invitations.invite(caller.user, workspace, payload),
        (invited) =>
          invited === null
            ? { status: "joined", invitation: null, link: null }
            : { status: "invited", invitation: invited.invitation, link: invitationAt(baseUrl, invited.link) }
      )
    ),
    renewInvitationLink: asOwner((workspace, { caller, params }) =>
      Effect.map(
        invitations.renewLink(caller.user, workspace, params.invitation_id),
        (link) => invitationAt(baseUrl, link)
      )
    ),
    revokeInvitation: asOwner((workspace, { caller, params }) =>
      Effect.map(
        invitations.revoke(caller.user, workspace, params.invitation_id),
        (invitation_id) => ({ status: "revoked", invitation_id })
      )
    ),

    listKeys: asOwner(({ workspace_id }) => Effect.map(keys.list(workspace_id), (api_keys) => ({ api_keys }))),
    createKey: asOwner(({ workspace_id }, { caller, payload }) => keys.create(workspace_id, payload, caller.principal)),
    keyTraffic: asOwner(({ workspace_id }) => Effect.map(keys.traffic(workspace_id), (traffic) => ({ traffic }))),
    revokeKey: asOwner(({ workspace_id }, { caller, params }) =>
      Effect.map(
        keys.revoke(params.key_id, workspace_id, caller.principal),
        ({ key_id }) => ({ status: "revoked", key_id })
      )
    ),

    readTimeline: asReader(({ workspace_id }, { payload }) => knowledge.timeline(workspace_id, payload)),

    latestEvents: asReader(({ workspace_id }) =>
      Effect.map(documents.latestEvents(workspace_id, LATEST_EVENTS), (events) => ({ events }))
    ),
    heldDeletions: asReader(({ workspace_id }) =>
      Effect.map(syncs.heldDeletions(workspace_id), (connections) => ({ connections }))
    ),
    followEvents: ({ caller, payload }) => Effect.map(follow(caller.user, payload.workspaces), toEventStream)
  }
  return handlers
})
