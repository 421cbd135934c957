/** People: the users of an account, and their roles in workspaces. */
import { Schema } from "effect"
import { Email } from "./Email.ts"
import { AccountId, InvitationId, UserId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import { EVERYTHING, type Scope } from "./Scope.ts"
import { Name } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"
import { Workspace, type WorkspaceRecord } from "./Workspace.ts"

/** An owner may do everything; a member everything except keys, plan, members and deletion. */
export const Role = Schema.Literals(["owner", "member"])
export type Role = typeof Role.Type

/** The scopes of a role on the public API. Creating a workspace creates a key, which a member may not do. */
export const scopesOf = (role: Role): ReadonlyArray<Scope> =>
  role === "owner"
    ? EVERYTHING
    : ["api:read", "connections:write", "knowledge:write", "custom_connectors:write", "custom_connectors:ingest"]

/**
 * Who vouches for a user's e-mail: the identity provider, the operator, or nobody. The link of an invitation proves
 * nothing, because the inviter has it, too.
 */
export const EmailProof = Schema.Literals(["openid", "operator", "none"])
export type EmailProof = typeof EmailProof.Type

export const isProven = ({ email_proof }: { readonly email_proof: EmailProof }): boolean => email_proof !== "none"

export const User = Schema.Struct({
  user_id: UserId,
  /** Null for a guest, who is invited, has not accepted yet, and has no account. */
  account_id: Schema.NullOr(AccountId),
  /** Null for the owner of an account that was created without one. */
  email: Schema.NullOr(Schema.String),
  email_proof: EmailProof,
  name: Schema.String,
  created_at: Timestamp
}).annotate({ identifier: "User" })
export type User = typeof User.Type

export const principalOf = ({ user_id }: Pick<User, "user_id">): Principal => ({ type: "user", id: user_id })

export const UserPatch = Schema.Struct({ name: Name })

/** A user as other members of the workspace see them. */
export const Member = Schema.Struct({
  user_id: UserId,
  email: Schema.NullOr(Schema.String),
  email_proof: EmailProof,
  name: Schema.String,
  role: Role,
  joined_at: Timestamp
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

export const MemberPatch = Schema.Struct({ role: Role })

/** A workspace with the member's role. */
export const MemberWorkspace = Schema.Struct({ ...Workspace.fields, role: Role }).annotate({
  identifier: "MemberWorkspace"
})

export interface Membership {
  readonly workspace: WorkspaceRecord
  readonly role: Role
}

export const NewInvitation = Schema.Struct({ email: Email, role: Role })
export type NewInvitation = typeof NewInvitation.Type

export const Invitation = Schema.Struct({
  invitation_id: InvitationId,
  email: Schema.String,
  role: Role,
  created_at: Timestamp,
  created_by: Principal,
  expires_at: Timestamp
}).annotate({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** An invitation as its recipient sees it, before deciding. */
export const ReceivedInvitation = Schema.Struct({
  ...Invitation.fields,
  workspace_name: Schema.String,
  /** The name and the e-mail of the inviter; null if that user is gone, or for the operator. */
  inviter: Schema.NullOr(Schema.Struct({ name: Schema.String, email: Schema.NullOr(Schema.String) }))
}).annotate({ identifier: "ReceivedInvitation" })
export type ReceivedInvitation = typeof ReceivedInvitation.Type

/** The most invitations of an e-mail that are shown, newest first. */
export const MAX_RECEIVED = 20

/** The most open invitations of a workspace. */
export const MAX_INVITATIONS = 100
