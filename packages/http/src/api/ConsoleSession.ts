/** Signing in to the console, and one's own sessions. */
import { InvitationId, SessionId, WorkspaceId } from "@tributary/core/model/Id"
import { ReceivedInvitation, User, UserPatch } from "@tributary/core/model/Person"
import { Session, SignIn } from "@tributary/core/model/Session"
import { SharedAllowance } from "@tributary/core/model/Workspace"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { SessionAuthorization, Validation } from "./Access.ts"
import { BodyLimit, SIGN_IN } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"

const SignedIn = Schema.Struct({ user: User, session: Session })
const Joined = Schema.Struct({ status: Schema.Literal("joined"), workspace_id: WorkspaceId })
const Ended = Schema.Struct({ status: Schema.Literal("ended") })

/** With a link, before there is a session. */
export class ConsoleSignIn extends HttpApiGroup.make("consoleSignIn").add(
  HttpApiEndpoint.get("waysToSignIn", "/sign-in", { success: Schema.Struct({ provider: Schema.Boolean }) }),
  HttpApiEndpoint.post("signIn", "/sign-in", {
    payload: SignIn,
    success: SignedIn,
    error: [ErrorBody.AuthenticationFailed, ErrorBody.PermissionDenied, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, SIGN_IN),
  // Shows the purpose of a link before it is used.
  HttpApiEndpoint.post("showInvitation", "/sign-in/invitation", {
    payload: SignIn,
    success: ReceivedInvitation,
    error: [ErrorBody.NotFound, ErrorBody.PermissionDenied, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, SIGN_IN)
).prefix("/console/api").middleware(Validation) {}

export class ConsoleSession extends HttpApiGroup.make("consoleSession").add(
  HttpApiEndpoint.get("me", "/me", { success: SignedIn }),
  HttpApiEndpoint.patch("updateMe", "/me", {
    payload: UserPatch,
    success: User,
    error: [ErrorBody.NotFound, ...ErrorBody.bodyErrors]
  }),
  // What this server offers to assistants.
  HttpApiEndpoint.get("readServer", "/server", { success: Schema.Struct({ mcp: Schema.Boolean }) }),
  // Null if the user may not create workspaces.
  HttpApiEndpoint.get("readAllowance", "/allowance", {
    success: Schema.Struct({ shared_workspaces: Schema.NullOr(SharedAllowance) })
  }),
  HttpApiEndpoint.get("listReceivedInvitations", "/invitations", {
    success: Schema.Struct({ invitations: Schema.Array(ReceivedInvitation) })
  }),
  HttpApiEndpoint.post("acceptInvitation", "/invitations/:invitation_id/accept", {
    params: { invitation_id: Schema.String },
    success: Joined,
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("acceptInvitationLink", "/invitations/accept-link", {
    payload: SignIn,
    success: Joined,
    error: [ErrorBody.NotFound, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, SIGN_IN),
  HttpApiEndpoint.delete("declineInvitation", "/invitations/:invitation_id", {
    params: { invitation_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("declined"), invitation_id: InvitationId }),
    error: ErrorBody.NotFound
  }),
  HttpApiEndpoint.post("signOut", "/sign-out", { success: Ended, error: ErrorBody.NotFound }),
  HttpApiEndpoint.get("listSessions", "/sessions", { success: Schema.Struct({ sessions: Schema.Array(Session) }) }),
  HttpApiEndpoint.delete("endSessions", "/sessions", { success: Ended }),
  HttpApiEndpoint.delete("endSession", "/sessions/:session_id", {
    params: { session_id: Schema.String },
    success: Schema.Struct({ status: Schema.Literal("ended"), session_id: SessionId }),
    error: ErrorBody.NotFound
  })
).prefix("/console/api").middleware(Validation).middleware(SessionAuthorization) {}
