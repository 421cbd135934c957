/** What a session can do in its workspaces and a key cannot: members, invitations, keys and the audit log. */
import { ApiKey, IssuedApiKey, KeyTraffic, NewApiKey } from "@tributary/core/model/ApiKey"
import { HeldDeletions } from "@tributary/core/model/Connection"
import { Event } from "@tributary/core/model/Document"
import { ApiKeyId, InvitationId, UserId } from "@tributary/core/model/Id"
import { Invitation, Member, MemberPatch, MemberWorkspace, NewInvitation } from "@tributary/core/model/Person"
import { nextPage } from "@tributary/core/model/Page"
import { SignInLink } from "@tributary/core/model/Session"
import { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import { Timeline } from "@tributary/core/model/Timeline"
import { NewWorkspace, Workspace } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Abandonable, SessionAuthorization, Validation } from "./Access.ts"
import { FOLLOWED_EVENTS, StreamedEvents } from "./StreamedEvents.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const workspaceId = { workspace_id: Schema.String }
const memberId = { ...workspaceId, user_id: Schema.String }
const invitationId = { ...workspaceId, invitation_id: Schema.String }
const changes = [ErrorBody.NotFound, ...ErrorBody.bodyErrors] as const

/** Both null if a user of the account has proven the e-mail and joined at once. */
const Invited = Schema.Struct({
  status: Schema.Literals(["invited", "joined"]),
  invitation: Schema.NullOr(Invitation),
  link: Schema.NullOr(SignInLink)
})

/** What the tabs of one browser show, and after which event each continues; null for from now on. */
const Follow = Schema.Struct({
  workspaces: Schema.Array(
    Schema.Struct({ workspace_id: Schema.String, after: Schema.NullOr(Schema.Int) })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(20))
})

export class ConsoleWorkspaces extends HttpApiGroup.make("consoleWorkspaces").add(
  HttpApiEndpoint.get("listOwnWorkspaces", "/", {
    query: Parameters.paging,
    success: Schema.Struct({ workspaces: Schema.Array(MemberWorkspace), ...nextPage })
  }),
  HttpApiEndpoint.post("openWorkspace", "/", {
    payload: NewWorkspace,
    success: Workspace.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }),
  HttpApiEndpoint.patch("renameWorkspace", "/:workspace_id", {
    params: workspaceId,
    payload: NewWorkspace,
    success: Workspace,
    error: changes
  }),
  HttpApiEndpoint.get("listMembers", "/:workspace_id/members", {
    params: workspaceId,
    query: Parameters.paging,
    success: Schema.Struct({ members: Schema.Array(Member), ...nextPage })
  }),
  HttpApiEndpoint.patch("changeMember", "/:workspace_id/members/:user_id", {
    params: memberId,
    payload: MemberPatch,
    success: Schema.Struct({ status: Schema.Literal("changed"), user_id: UserId }),
    error: [ErrorBody.Unprocessable, ...changes]
  }),
  HttpApiEndpoint.delete("removeMember", "/:workspace_id/members/:user_id", {
    params: memberId,
    success: Schema.Struct({ status: Schema.Literal("removed"), user_id: UserId }),
    error: [ErrorBody.Unprocessable, ErrorBody.NotFound]
  }),
  HttpApiEndpoint.get("listInvitations", "/:workspace_id/invitations", {
    params: workspaceId,
    success: Schema.Struct({ invitations: Schema.Array(Invitation) })
  }),
  HttpApiEndpoint.post("invite", "/:workspace_id/invitations", {
    params: workspaceId,
    payload: NewInvitation,
    success: Invited.pipe(HttpApiSchema.status(201)),
    error: [ErrorBody.Unprocessable, ...ErrorBody.bodyErrors]
  }),
  HttpApiEndpoint.post("renewInvitationLink", "/:workspace_id/invitations/:invitation_id/link", {
    params: invitationId,
    success: SignInLink.pipe(HttpApiSchema.status(201)),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.delete("revokeInvitation", "/:workspace_id/invitations/:invitation_id", {
    params: invitationId,
    success: Schema.Struct({ status: Schema.Literal("revoked"), invitation_id: InvitationId }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.get("listKeys", "/:workspace_id/api-keys", {
    params: workspaceId,
    success: Schema.Struct({ api_keys: Schema.Array(ApiKey) }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("createKey", "/:workspace_id/api-keys", {
    params: workspaceId,
    payload: NewApiKey,
    success: IssuedApiKey.pipe(HttpApiSchema.status(201)),
    error: changes
  }),
  HttpApiEndpoint.get("keyTraffic", "/:workspace_id/api-keys/traffic", {
    params: workspaceId,
    success: Schema.Struct({ traffic: Schema.Array(KeyTraffic) })
  }),
  HttpApiEndpoint.delete("revokeKey", "/:workspace_id/api-keys/:key_id", {
    params: { ...workspaceId, key_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("revoked"), key_id: ApiKeyId }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("readTimeline", "/:workspace_id/timeline", {
    params: workspaceId,
    payload: TemporalSettings,
    success: Timeline,
    error: ErrorBody.bodyErrors
  }).annotate(Abandonable, true),
  HttpApiEndpoint.get("latestEvents", "/:workspace_id/latest-events", {
    params: workspaceId,
    success: Schema.Struct({ events: Schema.Array(Event) })
  }),
  HttpApiEndpoint.get("heldDeletions", "/:workspace_id/held-deletions", {
    params: workspaceId,
    success: Schema.Struct({ connections: Schema.Array(HeldDeletions) })
  }),
  HttpApiEndpoint.post("followEvents", "/events", {
    payload: Follow,
    success: HttpApiSchema.NoContent,
    error: ErrorBody.bodyErrors
  }).annotate(Abandonable, true).annotate(StreamedEvents, FOLLOWED_EVENTS)
).prefix("/console/api/workspaces").middleware(Validation).middleware(SessionAuthorization) {}
