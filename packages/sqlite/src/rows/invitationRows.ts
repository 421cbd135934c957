/** Invitations as rows. */
import type { Invitation } from "@tributary/core/model/Person"
import type { Invited } from "@tributary/core/ports/PeopleStore"
import type { Columns } from "./Columns.ts"
import { toWorkspace, WORKSPACE, type WorkspaceColumns } from "./workspaceRows.ts"

export type InvitationColumns = Columns<Invitation, "created_by">

export const INVITATION = "invitation_id, email, role, created_at, created_by, expires_at"

/** Columns of the invitation `i`, in addition to those of its workspace `w`. */
const INVITED = `i.invitation_id, i.email, i.role, i.created_at AS invited_at, i.created_by, i.expires_at`

export const SELECT_INVITED =
  `SELECT ${INVITED}, ${WORKSPACE} FROM invitations i JOIN workspaces w ON w.workspace_id = i.workspace_id`

export type InvitedColumns = Omit<InvitationColumns, "created_at"> & WorkspaceColumns & { readonly invited_at: number }

export const toInvited = (row: InvitedColumns): Invited => ({
  workspace: toWorkspace(row),
  invitation: {
    invitation_id: row.invitation_id,
    email: row.email,
    role: row.role,
    created_at: new Date(row.invited_at),
    created_by: JSON.parse(row.created_by),
    expires_at: new Date(row.expires_at)
  }
})

export const toInvitation = (row: InvitationColumns): Invitation => ({
  ...row,
  created_at: new Date(row.created_at),
  created_by: JSON.parse(row.created_by),
  expires_at: new Date(row.expires_at)
})
