/** People: an account's users, and what each may do in each workspace. */
import { Schema } from "effect"
import { Email } from "./Email.ts"
import { AccountId, InvitationId, UserId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import type { Scope } from "./Scope.ts"
import { Name } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"
import { Workspace, type WorkspaceRecord } from "./Workspace.ts"

/** An owner may do everything; a member everything but keys, plan, members and deletion. */
export const Role = Schema.Literals(["owner", "member"])
export type Role = typeof Role.Type

/** The scopes of a role on the public API. Making a workspace makes a key, which a member may not. */
export const scopesOf = (role: Role): ReadonlyArray<Scope> =>
  role === "owner"
    ? ["api:read", "api:write"]
    : ["api:read", "connections:write", "knowledge:write", "custom_connectors:write", "custom_connectors:ingest"]

export const User = Schema.Struct({
  user_id: UserId,
  account_id: AccountId,
  /** Null for the owner of an account that was made without one. */
  email: Schema.NullOr(Schema.String),
  name: Schema.String,
  created_at: Timestamp
}).annotate({ identifier: "User" })
export type User = typeof User.Type

export const principalOf = ({ user_id }: Pick<User, "user_id">): Principal => ({ type: "user", id: user_id })

export const UserPatch = Schema.Struct({ name: Name })

/** A user as the workspace's other people see them. */
export const Member = Schema.Struct({
  user_id: UserId,
  email: Schema.NullOr(Schema.String),
  name: Schema.String,
  role: Role,
  joined_at: Timestamp
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

export const MemberPatch = Schema.Struct({ role: Role })

/** A workspace as one of its members has it. */
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

/** How many invitations of a workspace may be open. */
export const MAX_INVITATIONS = 100
