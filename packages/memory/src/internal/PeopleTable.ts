/** Users, their roles, invitations, links and sessions, with cascading deletes. */
import type { AuditRecord } from "@tributary/core/model/AuditEntry"
import type { AccountId, InvitationId, SessionId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import { type Invitation, isProven, type Role, type User } from "@tributary/core/model/Person"
import type { Session } from "@tributary/core/model/Session"
import type { SecretHash } from "@tributary/core/ports/ApiKeyStore"
import type { LinkSubject } from "@tributary/core/ports/PeopleStore"
import { byText, Ordered } from "./Ordered.ts"

interface MemberRow {
  role: Role
  readonly joined_at: Date
}

export interface InvitationRow {
  readonly workspace_id: WorkspaceId
  readonly account_id: AccountId
  readonly invitation: Invitation
}

interface LinkRow {
  readonly subject: LinkSubject
  readonly expires_at: Date
}

export interface SessionRow {
  readonly user_id: UserId
  readonly hash: SecretHash
  session: Session
}

export const subjectId = (subject: LinkSubject): string =>
  "user_id" in subject ? subject.user_id : subject.invitation_id

export const identityKey = (issuer: string, subject: string): string => JSON.stringify([issuer, subject])

export class PeopleTable {
  readonly users = new Map<UserId, User>()
  /** By workspace and user. */
  readonly members = new Map<WorkspaceId, Map<UserId, MemberRow>>()
  readonly invitations = new Map<InvitationId, InvitationRow>()
  /** Users by the identity that they have elsewhere. */
  readonly identities = new Map<string, UserId>()
  readonly links = new Map<SecretHash, LinkRow>()
  readonly sessions = new Map<SecretHash, SessionRow>()
  readonly audit = new Ordered<AuditRecord>((left, right) => byText(left.entry_id, right.entry_id))

  membersOf(workspaceId: WorkspaceId): Map<UserId, MemberRow> {
    const known = this.members.get(workspaceId)
    if (known !== undefined) return known
    const members = new Map<UserId, MemberRow>()
    this.members.set(workspaceId, members)
    return members
  }

  /** Users with a proven e-mail first. */
  byEmail(accountId: AccountId | null, email: string): ReadonlyArray<User> {
    const found = [...this.users.values()].filter((user) =>
      user.email === email && (accountId === null || user.account_id === accountId)
    )
    return [...found.filter(isProven), ...found.filter((user) => !isProven(user))]
  }

  hasProven(accountId: AccountId | null, email: string): User | undefined {
    return this.byEmail(accountId, email).find(isProven)
  }

  /** Invitations of the e-mail that are open at `now`, newest first. */
  received(email: string, now: Date): ReadonlyArray<InvitationRow> {
    return [...this.invitations.values()]
      .filter(({ invitation }) => invitation.email === email && invitation.expires_at > now)
      .sort((left, right) => byText(right.invitation.invitation_id, left.invitation.invitation_id))
  }

  dropLinks(subject: string): void {
    for (const [hash, link] of this.links) if (subjectId(link.subject) === subject) this.links.delete(hash)
  }

  dropInvitation(invitationId: InvitationId): void {
    this.invitations.delete(invitationId)
    this.dropLinks(invitationId)
  }

  sessionsOf(userId: UserId): ReadonlyArray<SessionRow> {
    return [...this.sessions.values()].filter((row) => row.user_id === userId)
      .sort((left, right) => byText(right.session.session_id, left.session.session_id))
  }

  endSessions(userId: UserId, sessionId: SessionId | null): number {
    const ended = this.sessionsOf(userId).filter(({ session }) =>
      sessionId === null || session.session_id === sessionId
    )
    for (const { hash } of ended) this.sessions.delete(hash)
    return ended.length
  }

  /** A user without a workspace is deleted. */
  leave(workspaceId: WorkspaceId, userId: UserId): void {
    this.members.get(workspaceId)?.delete(userId)
    this.dropHomeless(userId)
  }

  dropHomeless(userId: UserId): void {
    for (const members of this.members.values()) if (members.has(userId)) return
    this.#dropUser(userId)
  }

  close(workspaceId: WorkspaceId): void {
    for (const userId of this.membersOf(workspaceId).keys()) this.leave(workspaceId, userId)
    this.members.delete(workspaceId)
    for (const { invitation, workspace_id } of this.invitations.values()) {
      if (workspace_id === workspaceId) this.dropInvitation(invitation.invitation_id)
    }
  }

  eraseAccount(accountId: AccountId): void {
    for (const user of this.users.values()) if (user.account_id === accountId) this.#dropUser(user.user_id)
    for (const entry of this.audit.where((entry) => entry.account_id === accountId)) {
      this.audit.remove(entry)
    }
  }

  #dropUser(userId: UserId): void {
    this.users.delete(userId)
    for (const members of this.members.values()) members.delete(userId)
    for (const [identity, owner] of this.identities) if (owner === userId) this.identities.delete(identity)
    this.dropLinks(userId)
    this.endSessions(userId, null)
  }
}
