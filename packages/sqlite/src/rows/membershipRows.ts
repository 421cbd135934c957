/** Memberships as rows. */
import type { Membership } from "@tributary/core/model/Person"
import { toWorkspace, WORKSPACE, type WorkspaceColumns } from "./workspaceRows.ts"

export type MembershipColumns = WorkspaceColumns & Pick<Membership, "role">

export const SELECT_MEMBERSHIP =
  `SELECT ${WORKSPACE}, m.role FROM members m JOIN workspaces w ON w.workspace_id = m.workspace_id`

export const toMembership = (row: MembershipColumns): Membership => ({ workspace: toWorkspace(row), role: row.role })
