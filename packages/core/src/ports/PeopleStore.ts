/**
 * The users of accounts, their roles in workspaces, and who is invited.
 *
 * An e-mail that is proven belongs to one user of an account. One that is not may be that of any number: it says whom
 * somebody else meant to invite, and counts for nothing.
 *
 * The owner of an account's personal workspace becomes an owner of every workspace that the account opens. A user
 * whose last workspace is gone is gone, too, with sessions and sign-in links.
 */
import { Context, type Option } from "effect"
import type { AccountId, InvitationId, UserId, WorkspaceId } from "../model/Id.ts"
import type { Invitation, Member, Membership, Role, User } from "../model/Person.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Identity } from "./IdentityProvider.ts"
import type { Stored } from "./Storage.ts"

/** Whom a sign-in link lets in: a user, or the one who an invitation makes one of. */
export type LinkSubject = { readonly user_id: UserId } | { readonly invitation_id: InvitationId }

/** An open invitation, and where it leads. */
export interface Invited {
  readonly invitation: Invitation
  readonly workspace: WorkspaceRecord
}

export class PeopleStore extends Context.Service<PeopleStore, {
  /**
   * The first owner of the account's personal workspace. While it has none, the candidate becomes the owner of every
   * open workspace of the account. None for an account that has no personal workspace.
   */
  owner(candidate: User): Stored<Option.Option<User>>
  /**
   * Makes the user the one who owns the account, in place of the one who did: alone in its personal workspace, and an owner
   * of every open one. A user who is absent is made. False for an account that has no personal workspace.
   */
  setOwner(user: User, at: Date): Stored<boolean>
  find(userId: UserId): Stored<Option.Option<User>>
  /** At most `limit`, of one account or of all (null): users with a proven e-mail first. */
  findByEmail(accountId: AccountId | null, email: string, limit: number): Stored<ReadonlyArray<User>>
  /** Who has signed in with this identity before. */
  findByIdentity(identity: Pick<Identity, "issuer" | "subject">): Stored<Option.Option<User>>
  /**
   * What is given changes. An e-mail is given only to one who has none, and the operator vouches for it. None for no
   * such user, or an e-mail that another user of the account has proven.
   */
  update(userId: UserId, change: { readonly name?: string; readonly email?: string }): Stored<Option.Option<User>>
  /** The personal workspace that the user owns. */
  personal(userId: UserId): Stored<Option.Option<WorkspaceRecord>>
  membership(userId: UserId, workspaceId: WorkspaceId): Stored<Option.Option<Membership>>
  /** By workspace id, ascending, after the given one. */
  memberships(userId: UserId, options: {
    readonly after: WorkspaceId | null
    readonly limit: number
  }): Stored<ReadonlyArray<Membership>>
  /** By user id, ascending, after the given one. */
  members(workspaceId: WorkspaceId, options: {
    readonly after: UserId | null
    readonly limit: number
  }): Stored<ReadonlyArray<Member>>
  /** Changes a member's role, or removes the member (null). A workspace keeps one owner, exactly, also at once. */
  setRole(
    workspaceId: WorkspaceId,
    userId: UserId,
    role: Role | null
  ): Stored<"changed" | "absent" | "last_owner">
  /**
   * Invites, in place of an earlier invitation of the same e-mail. A user of the account who has proven the e-mail joins
   * at once. `present`: a member has proven it. `full`: so many as `maximum` are open.
   */
  invite(
    workspaceId: WorkspaceId,
    invitation: Invitation,
    maximum: number
  ): Stored<"invited" | "joined" | "present" | "full">
  /** The open ones at `now`, newest first. */
  invitations(workspaceId: WorkspaceId, now: Date): Stored<ReadonlyArray<Invitation>>
  revokeInvitation(workspaceId: WorkspaceId, invitationId: InvitationId): Stored<Option.Option<Invitation>>
  /** Of the e-mail, in every account: the open ones at `now`, newest first, at most `limit`. */
  received(email: string, now: Date, limit: number): Stored<ReadonlyArray<Invited>>
  /** The open invitation that a valid link is for; the link stays. */
  linked(hash: SecretHash, now: Date): Stored<Option.Option<Invited>>
  /**
   * Uses up an open invitation, named by a valid link to it or, where the user has proven its e-mail, by its id. The user
   * is a member from then on; who is one already keeps the role. A guest becomes a user of the account.
   */
  join(
    userId: UserId,
    by: { readonly link: SecretHash } | { readonly invitation_id: InvitationId },
    now: Date
  ): Stored<Option.Option<Membership>>
  /** Removes an open invitation of the e-mail that the user has proven. A guest without another is gone. */
  decline(userId: UserId, invitationId: InvitationId): Stored<Option.Option<Invited>>
  /** In place of an earlier link of the same subject; one that is absent gets none. */
  addLink(hash: SecretHash, subject: LinkSubject, expiresAt: Date): Stored<void>
  /** Forgets links and invitations that have expired, and guests who have no invitation left. */
  prune(now: Date): Stored<void>
}>()("@tributary/core/ports/PeopleStore") {}
