/** Sessions by the SHA-256 of their secret. */
import { Context, type Option } from "effect"
import type { AccountId, SessionId, UserId, WorkspaceId } from "../model/Id.ts"
import type { Membership, User } from "../model/Person.ts"
import type { Session } from "../model/Session.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Identity } from "./IdentityProvider.ts"
import type { Stored } from "./Storage.ts"
import type { OwnedAccount } from "./WorkspaceStore.ts"

/** A session is alive if it was last seen after `seenAfter` and expires after `now`. */
export interface Moment {
  readonly now: Date
  readonly seenAfter: Date
}

interface Opening {
  readonly newUserId: UserId
  readonly maximum: number
}

/** The owner of the link: a user, or a person who is invited to the workspace. */
export interface LinkHolder {
  readonly account_id: AccountId | null
  readonly workspace_id: WorkspaceId | null
  /** The id of the user or the invitation. */
  readonly subject: string
}

export class SessionStore extends Context.Service<SessionStore, {
  /**
   * Consumes a valid link and opens the session for its user. A link for a user comes from the operator: it proves the
   * user's e-mail if no other user of the account has, and then ends the user's other sessions. A link of an invitation
   * creates a user under `newUserId`, even if others have its e-mail. That user has proven nothing and is a member.
   * None, with the link consumed, if the invitation is gone. The user's oldest sessions beyond `maximum` end.
   */
  signIn(link: SecretHash, session: Session, hash: SecretHash, options: Opening): Stored<Option.Option<User>>
  /** Also of a link that has expired, and of a user's that is used up, until it is forgotten. */
  holder(link: SecretHash): Stored<Option.Option<LinkHolder>>
  /**
   * Opens the session for the user of the identity. A new identity is linked to the oldest user without one for whose
   * e-mail the operator vouches, whose other sessions end. Otherwise `account` is created for a person with an e-mail.
   * Without it (null), if an invitation of the e-mail is open, a guest is created, who is in no account and no
   * workspace. None if nothing applies. However often the identity signs in at once, there is one user.
   */
  signInAs(
    identity: Identity,
    session: Session,
    hash: SecretHash,
    options: Opening & { readonly account: OwnedAccount | null }
  ): Stored<Option.Option<User>>
  /**
   * The live session, and the user's role in the workspace if one is named. `last_seen_at` is updated like a key's last
   * use.
   */
  authenticate(hash: SecretHash, workspaceId: WorkspaceId | null, at: Moment): Stored<
    Option.Option<{ readonly session: Session; readonly user: User; readonly membership: Membership | null }>
  >
  /** The live ones, newest first. */
  list(userId: UserId, at: Moment): Stored<ReadonlyArray<Session>>
  /** Ends one session of the user, or all (null). Returns their number. */
  end(userId: UserId, sessionId: SessionId | null): Stored<number>
  /** Deletes sessions that are not alive. */
  prune(at: Moment): Stored<void>
}>()("@tributary/core/ports/SessionStore") {}
