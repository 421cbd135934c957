/** Signing in, oneself, and one's own sessions. */
import { ownAccount } from "@tributary/core/accountWorkspaces"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { People } from "@tributary/core/People"
import { ReceivedInvitations } from "@tributary/core/ReceivedInvitations"
import { Sessions } from "@tributary/core/Sessions"
import { Effect, Redacted } from "effect"
import type { ConsoleSession, ConsoleSignIn } from "../api/ConsoleSession.ts"
import type { SessionCaller } from "../middleware/SessionAuthorization.ts"
import { clearingCookie, settingCookie } from "../signIn/SessionCookie.ts"
import { Reply } from "../response/Reply.ts"
import type { Handlers } from "./Handlers.ts"
import type { Options } from "../Routes.ts"

const joined = (workspace_id: WorkspaceId) => ({ status: "joined" as const, workspace_id })

export const consoleSignIn = Effect.fnUntraced(function*(baseUrl: string) {
  const sessions = yield* Sessions
  const invitations = yield* ReceivedInvitations

  const handlers: Handlers<typeof ConsoleSignIn, undefined> = {
    waysToSignIn: () => Effect.succeed({ provider: sessions.hasProvider }),
    signIn: ({ payload, request }) =>
      Effect.map(
        sessions.signIn(Redacted.make(payload.token), request.headers["user-agent"] ?? null),
        ({ secret, session, user }) => new Reply({ user, session }, settingCookie(baseUrl, secret))
      ),
    showInvitation: ({ payload }) => invitations.findByLink(Redacted.make(payload.token))
  }
  return handlers
})

/** The browser's Back button would show pages that the reader may no longer see. */
const FORGET_PAGES = { "clear-site-data": "\"cache\"" }

export const consoleSession = Effect.fnUntraced(function*({ baseUrl, mcp }: Options) {
  const people = yield* People
  const sessions = yield* Sessions
  const invitations = yield* ReceivedInvitations
  const account = yield* ownAccount
  const signedOut = () => new Reply({ status: "ended" as const }, { ...clearingCookie(baseUrl), ...FORGET_PAGES })

  const handlers: Handlers<typeof ConsoleSession, SessionCaller> = {
    me: ({ caller: { session, user } }) => Effect.succeed({ user, session }),
    updateMe: ({ caller, payload }) => people.rename(caller.user, payload.name),
    readServer: () => Effect.succeed({ mcp: mcp !== undefined }),
    readAllowance: ({ caller }) =>
      Effect.map(account.sharedAllowance(caller.user), (shared_workspaces) => ({ shared_workspaces })),
    listReceivedInvitations: ({ caller }) =>
      Effect.map(invitations.list(caller.user), (invitations) => ({ invitations })),
    acceptInvitation: ({ caller, params }) => Effect.map(invitations.accept(caller.user, params.invitation_id), joined),
    acceptInvitationLink: ({ caller, payload }) =>
      Effect.map(invitations.acceptLink(caller.user, Redacted.make(payload.token)), joined),
    declineInvitation: ({ caller, params }) =>
      Effect.map(
        invitations.decline(caller.user, params.invitation_id),
        (invitation_id) => ({ status: "declined", invitation_id })
      ),
    signOut: ({ caller }) => Effect.map(sessions.end(caller.user, caller.session.session_id), signedOut),
    listSessions: ({ caller }) => Effect.map(sessions.list(caller.user), (sessions) => ({ sessions })),
    endSessions: ({ caller }) => Effect.map(sessions.endAll(caller.user), signedOut),
    endSession: ({ caller, params }) =>
      Effect.map(sessions.end(caller.user, params.session_id), (session_id) => ({ status: "ended", session_id }))
  }
  return handlers
})
