/** Users as rows. */
import type { User } from "@tributary/core/model/Person"
import type { Columns } from "./Columns.ts"

export type UserColumns = Columns<User>

/** Columns of the user `u`. */
export const USER = "u.user_id, u.account_id, u.email, u.email_proof, u.name, u.created_at"

export const toUser = (row: UserColumns): User => ({
  user_id: row.user_id,
  account_id: row.account_id,
  email: row.email,
  email_proof: row.email_proof,
  name: row.name,
  created_at: new Date(row.created_at)
})
