/** API keys as rows. */
import type { ApiKey } from "@tributary/core/model/ApiKey"
import { type Columns, date } from "./Columns.ts"

export type KeyColumns = Columns<ApiKey, "scopes" | "created_by">

export const toKey = (row: KeyColumns): ApiKey => ({
  key_id: row.key_id,
  name: row.name,
  hint: row.hint,
  scopes: JSON.parse(row.scopes),
  created_at: new Date(row.created_at),
  created_by: JSON.parse(row.created_by),
  last_used_at: date(row.last_used_at),
  expires_at: date(row.expires_at),
  revoked_at: date(row.revoked_at)
})
