/**
 * The users of accounts, their roles in workspaces, and who is invited.
 *
 * The owner of an account's personal workspace becomes an owner of every workspace that the account opens. A user
 * whose last workspace is gone is gone, too, with sessions and sign-in links.
 */
import { Context, type Option } from "effect"
import type { AccountId, InvitationId, UserId, WorkspaceId } from "../model/Id.ts"
import type { Invitation, Member, Membership, Role, User } from "../model/Person.ts"
import type { SecretHash } from "./ApiKeyStore.ts"
import type { Identity } from "./IdentityProvider.ts"
import type { Stored } from "./Storage.ts"

/** Whom a sign-in link lets in: a user, or the one who an invitation makes one of. */
export type LinkSubject = { readonly user_id: UserId } | { readonly invitation_id: InvitationId }

export class PeopleStore extends Context.Service<PeopleStore, {
  /**
   * The first owner of the account's personal workspace. While it has none, the candidate becomes the owner of every
   * open workspace of the account. None for an account that has no personal workspace.
   */
  owner(candidate: User): Stored<Option.Option<User>>
  /** At most `limit`, of one account or of all (null). */
  findByEmail(accountId: AccountId | null, email: string, limit: number): Stored<ReadonlyArray<User>>
  /** Who has signed in with this identity before. */
  findByIdentity(identity: Pick<Identity, "issuer" | "subject">): Stored<Option.Option<User>>
  /** What is given changes. An e-mail is given only to one who has none. None for no such user, or an e-mail in use. */
  update(userId: UserId, change: { readonly name?: string; readonly email?: string }): Stored<Option.Option<User>>
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
   * Invites, in place of an earlier invitation of the same e-mail. A user of the account joins at once. `full`: so
   * many as `maximum` are open.
   */
  invite(
    workspaceId: WorkspaceId,
    invitation: Invitation,
    maximum: number
  ): Stored<"invited" | "joined" | "present" | "full">
  /** The open ones at `now`, newest first. */
  invitations(workspaceId: WorkspaceId, now: Date): Stored<ReadonlyArray<Invitation>>
  revokeInvitation(workspaceId: WorkspaceId, invitationId: InvitationId): Stored<Option.Option<Invitation>>
  /** In place of an earlier link of the same subject; one that is absent gets none. */
  addLink(hash: SecretHash, subject: LinkSubject, expiresAt: Date): Stored<void>
  /** Forgets links and invitations that have expired. */
  prune(now: Date): Stored<void>
}>()("@tributary/core/ports/PeopleStore") {}
