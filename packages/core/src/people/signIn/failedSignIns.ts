/** What the audit log says of failed sign-ins: in the accounts that they concern; a stranger's concerns none. */
import { Effect, Option } from "effect"
import type { User } from "../../model/Person.ts"
import type { Principal } from "../../model/Principal.ts"
import { PeopleStore } from "../../ports/PeopleStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { noting } from "../auditing.ts"

/** Who was not let in. */
const SOMEBODY: Principal = { type: "user", id: "unknown" }

/** Users of one e-mail, each in an account of its own. */
const MAX_NAMESAKES = 20

export const accountOf = ({ account_id }: Pick<User, "account_id">) => ({ account_id, workspace_id: null })

export const failedSignIns = Effect.gen(function*() {
  const sessionStore = yield* SessionStore
  const peopleStore = yield* PeopleStore
  const note = yield* noting
  const failed = { action: "sign_in.failed", by: SOMEBODY } as const

  return {
    noteFailedLink: Effect.fnUntraced(function*(linkHash: string) {
      const holder = yield* sessionStore.holder(linkHash)
      if (Option.isNone(holder)) return
      yield* note({ ...failed, in: holder.value, subject: holder.value.subject, details: { by: "link" } })
    }),

    /** In those of the accounts that know the verified e-mail, and whom it does not let in. */
    noteFailedIdentity: Effect.fnUntraced(function*(email: string) {
      yield* Effect.forEach(
        yield* peopleStore.findByEmail(null, email, MAX_NAMESAKES),
        (user) => note({ ...failed, in: accountOf(user), subject: user.user_id, details: { by: "openid", email } })
      )
    })
  }
})
