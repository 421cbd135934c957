/**
 * The users of accounts, their roles in workspaces, and invitations.
 *
 * A proven e-mail belongs to one user of an account. An unproven one may belong to any number of users: it only says
 * the person the inviter addressed.
 *
 * The owner of an account's personal workspace becomes an owner of every workspace of the account. A user whose last
 * workspace is deleted is deleted, with sessions and sign-in links.
 */
import { Context, type Option } from "effect"
import type { AccountId, InvitationId, UserId, WorkspaceId } from "../model/Id.ts"
import type { Invitation, Member, Membership, Role, User } from "../model/Person.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Identity } from "./IdentityProvider.ts"
import type { Stored } from "./Storage.ts"

/** Whom a sign-in link admits: a user, or a new one by an invitation. */
export type LinkSubject = { readonly user_id: UserId } | { readonly invitation_id: InvitationId }

/** An open invitation, and its workspace. */
export interface Invited {
  readonly invitation: Invitation
  readonly workspace: WorkspaceRecord
}

export class PeopleStore extends Context.Service<PeopleStore, {
  /**
   * The first owner of the account's personal workspace. If it has none, the candidate becomes the owner of every open
   * workspace of the account. None if the account has no personal workspace.
   */
  owner(candidate: User): Stored<Option.Option<User>>
  /**
   * Makes the user the owner of the account in place of the current one: alone in its personal workspace, and an owner
   * of every open one. In place of an absent user, the one of the account who has proven the e-mail, or else it is
   * created. Returns the owner. None if the account has no personal workspace.
   */
  setOwner(user: User, at: Date): Stored<Option.Option<User>>
  find(userId: UserId): Stored<Option.Option<User>>
  /** At most `limit`, of one account or of all (null): users with a proven e-mail first. */
  findByEmail(accountId: AccountId | null, email: string, limit: number): Stored<ReadonlyArray<User>>
  /** The user who has signed in with this identity before. */
  findByIdentity(identity: Pick<Identity, "issuer" | "subject">): Stored<Option.Option<User>>
  /**
   * Changes the given fields. An e-mail is given only to a user without one, and counts as proven by the operator. None
   * if the user does not exist, or another user of the account has proven the e-mail.
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
  /**
   * Changes a member's role, or removes the member (null). A workspace always keeps an owner, also with concurrent
   * calls.
   */
  setRole(
    workspaceId: WorkspaceId,
    userId: UserId,
    role: Role | null
  ): Stored<"changed" | "absent" | "last_owner">
  /**
   * Invites, replacing an earlier invitation of the same e-mail. A user of the account who has proven the e-mail joins
   * at once. `present`: a member has proven it. `full`: `maximum` invitations are open.
   */
  invite(
    workspaceId: WorkspaceId,
    invitation: Invitation,
    maximum: number
  ): Stored<"invited" | "joined" | "present" | "full">
  /** Those open at `now`, newest first. */
  invitations(workspaceId: WorkspaceId, now: Date): Stored<ReadonlyArray<Invitation>>
  revokeInvitation(workspaceId: WorkspaceId, invitationId: InvitationId): Stored<Option.Option<Invitation>>
  /** Invitations of the e-mail in every account, open at `now`, newest first, at most `limit`. */
  received(email: string, now: Date, limit: number): Stored<ReadonlyArray<Invited>>
  /** The open invitation of a valid link, which remains valid. */
  linked(hash: SecretHash, now: Date): Stored<Option.Option<Invited>>
  /**
   * Accepts an open invitation, given by a valid link or, if the user has proven its e-mail, by its id. The user
   * becomes a member; an existing member keeps the role. A guest becomes a user of the account.
   */
  join(
    userId: UserId,
    by: { readonly link: SecretHash } | { readonly invitation_id: InvitationId },
    now: Date
  ): Stored<Option.Option<Membership>>
  /** Deletes an open invitation of an e-mail that the user has proven. A guest without another one is deleted. */
  decline(userId: UserId, invitationId: InvitationId): Stored<Option.Option<Invited>>
  /** Replaces an earlier link of the same subject. Ignores an absent subject. */
  addLink(hash: SecretHash, subject: LinkSubject, expiresAt: Date): Stored<void>
  /** Deletes expired links and invitations, and guests without an invitation. */
  prune(now: Date): Stored<void>
}>()("@tributary/core/ports/PeopleStore") {}
