/** Who is signed in, by the SHA-256 of the session's secret. */
import { Context, type Option } from "effect"
import type { SessionId, UserId, WorkspaceId } from "../model/Id.ts"
import type { Membership, User } from "../model/Person.ts"
import type { Session } from "../model/Session.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Identity } from "./IdentityProvider.ts"
import type { Stored } from "./Storage.ts"

/** A session is alive while it was seen after `seenAfter` and expires after `now`. */
export interface Moment {
  readonly now: Date
  readonly seenAfter: Date
}

interface Opening {
  readonly newUserId: UserId
  readonly maximum: number
}

export class SessionStore extends Context.Service<SessionStore, {
  /**
   * Uses up a link that is valid when the session begins, and opens the session for its user. A link for a user comes
   * from the operator: it proves the user's e-mail if no other user of the account has, and then the user's other
   * sessions end. By an invitation, a user is made under `newUserId`, also where others have its e-mail, who has proven nothing
   * and is a member from then on. None, with the link used up, when the invitation is gone. The user's oldest sessions
   * beyond `maximum` end.
   */
  signIn(link: SecretHash, session: Session, hash: SecretHash, options: Opening): Stored<Option.Option<User>>
  /**
   * Opens the session for the user who has the identity. On its first sign-in it becomes that of the oldest user without
   * one for whose e-mail the operator vouches, whose other sessions end; or else, while an invitation of the e-mail is
   * open and `guests` are let in, of a guest, who is in no account and no workspace. None when there is neither.
   */
  signInAs(
    identity: Identity,
    session: Session,
    hash: SecretHash,
    options: Opening & { readonly guests: boolean }
  ): Stored<Option.Option<User>>
  /** The live session, and the user's part in the workspace if one is named; `last_seen_at` moves as a key's last use. */
  authenticate(hash: SecretHash, workspaceId: WorkspaceId | null, at: Moment): Stored<
    Option.Option<{ readonly session: Session; readonly user: User; readonly membership: Membership | null }>
  >
  /** The live ones, newest first. */
  list(userId: UserId, at: Moment): Stored<ReadonlyArray<Session>>
  /** Ends one session of the user, or all (null); says how many. */
  end(userId: UserId, sessionId: SessionId | null): Stored<number>
  /** Forgets what is no longer alive. */
  prune(at: Moment): Stored<void>
}>()("@tributary/core/ports/SessionStore") {}
