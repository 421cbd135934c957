/** What the audit log says of signing in: in the accounts that it concerns; an attempt by a stranger concerns none. */
import { Effect, Option } from "effect"
import { principalOf, type User } from "../../model/Person.ts"
import type { Principal } from "../../model/Principal.ts"
import type { Session } from "../../model/Session.ts"
import { PeopleStore } from "../../ports/PeopleStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { auditing } from "../auditing.ts"
import { People } from "../People.ts"

/** Who was not let in. */
const SOMEBODY: Principal = { type: "user", id: "unknown" }

/** Users of one e-mail, each in an account of its own. */
const MAX_NAMESAKES = 20

export const accountOf = ({ account_id }: User) => ({ account_id, workspace_id: null })

export const signInAudit = Effect.gen(function*() {
  const sessionStore = yield* SessionStore
  const peopleStore = yield* PeopleStore
  const people = yield* People
  const audit = yield* auditing

  /** The only workspace of a user whom an invitation has just created. */
  const noteJoined = Effect.fnUntraced(function*(user: User) {
    const { items } = yield* Effect.catchTag(
      people.workspaces(user, { limit: 1, cursor: null }),
      "InvalidCursor",
      Effect.die
    )
    yield* Effect.forEach(
      items,
      ({ role, workspace }) =>
        audit("member.joined", principalOf(user), workspace, user.user_id, { email: user.email, role })
    )
  })

  return {
    noteSignIn: Effect.fnUntraced(function*(user: User, { session_id }: Session, isNew: boolean) {
      if (isNew) yield* noteJoined(user)
      yield* audit("session.started", principalOf(user), accountOf(user), session_id)
    }),

    noteFailedLink: Effect.fnUntraced(function*(linkHash: string) {
      const holder = yield* sessionStore.holder(linkHash)
      if (Option.isNone(holder)) return
      yield* audit("sign_in.failed", SOMEBODY, holder.value, holder.value.subject, { by: "link" })
    }),

    /** In those of the accounts that know the verified e-mail, and whom it does not let in. */
    noteFailedIdentity: Effect.fnUntraced(function*(email: string) {
      yield* Effect.forEach(
        yield* peopleStore.findByEmail(null, email, MAX_NAMESAKES),
        (user) => audit("sign_in.failed", SOMEBODY, accountOf(user), user.user_id, { by: "openid", email })
      )
    })
  }
})
