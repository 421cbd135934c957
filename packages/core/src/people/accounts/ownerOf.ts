/** The first owner of an account, who has its e-mail: that comes from the operator, or was verified at sign-up. */
import { uuid7 } from "../../internal/uuid7.ts"
import { foldAscii } from "../../model/folding.ts"
import type { UserId } from "../../model/Id.ts"
import type { User } from "../../model/Person.ts"
import type { AccountRecord } from "../../ports/WorkspaceStore.ts"

export const ownerOf = ({ account_id, email, name }: AccountRecord, now: number): User => ({
  user_id: uuid7<UserId>(now),
  account_id,
  email: email === null ? null : foldAscii(email),
  email_proof: email === null ? "none" : "operator",
  name,
  created_at: new Date(now)
})
