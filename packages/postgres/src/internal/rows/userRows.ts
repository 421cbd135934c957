/** The columns of users. */
import type { Database } from "../Database.ts"

/** For the user `u`. */
export const userColumns = ({ sql }: Database["Service"]) =>
  sql.literal(`u.user_id::text AS user_id, u.account_id::text AS account_id, u.email, u.email_proof, u.name,
    u.created_at`)
