/** Whom an operator's sign-in link is for: the user with an id or an e-mail, or else the owner of the account. */
import { Effect, Option } from "effect"
import { lookUp } from "../../internal/lookUp.ts"
import { notFound, orNotFound } from "../../internal/notFound.ts"
import { Unprocessable } from "../../model/Error.ts"
import { type AccountId, UserId, type WorkspaceId } from "../../model/Id.ts"
import { isProven } from "../../model/Person.ts"
import type { NewSignInLink } from "../../model/Session.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"
import { PeopleStore } from "../../ports/PeopleStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { People } from "../People.ts"

const PAGE = 100

const unprocessable = (message: string) => new Unprocessable({ message })

/** Returns a function that finds the user. */
export const signInUser = Effect.gen(function*() {
  const store = yield* PeopleStore
  const people = yield* People
  const workspaces = yield* WorkspaceStore

  const onlyAccount = Effect.gen(function*() {
    let after: WorkspaceId | null = null
    let found: AccountId | null = null
    while (true) {
      const page: ReadonlyArray<WorkspaceRecord> = yield* workspaces.list({ accountId: null, after, limit: PAGE })
      for (const { account_id, workspace_id } of page) {
        if (found !== null && found !== account_id) {
          return yield* unprocessable("There are several accounts: name one, or the e-mail of a user.")
        }
        found = account_id
        after = workspace_id
      }
      if (page.length < PAGE) return found ?? (yield* unprocessable("There is no account yet."))
    }
  })

  const findById = Effect.fnUntraced(function*(userId: string, accountId: string | null) {
    const user = yield* orNotFound("user", yield* lookUp(UserId, userId, (id) => store.find(id)))
    return accountId === null || user.account_id === accountId.toLowerCase() ? user : yield* notFound("user")
  })

  /** The user with the e-mail; or else the owner of the account, who gets the e-mail if the owner has none. */
  const findByEmail = Effect.fnUntraced(function*(email: string, accountId: string | null) {
    const account = accountId === null ? null : (yield* people.ownerOf(accountId)).account_id
    const [user, another] = yield* store.findByEmail(account, email, 2)
    if (user !== undefined && another !== undefined && isProven(user) === isProven(another)) {
      return yield* unprocessable(
        isProven(user)
          ? "Users of several accounts have this e-mail: name the account."
          : "Several users have this e-mail, and none has proven it: name one by `user_id`."
      )
    }
    if (user !== undefined) return user
    const owner = yield* people.ownerOf(account ?? (yield* onlyAccount))
    const renamed = owner.email === null ? yield* store.update(owner.user_id, { email }) : Option.none()
    return yield* Effect.fromOption(
      renamed,
      () => unprocessable("No user of the account has this e-mail. An owner can invite them in the console.")
    )
  })

  return Effect.fnUntraced(function*({ account_id = null, email, user_id }: NewSignInLink) {
    if (typeof user_id === "string") return yield* findById(user_id, account_id)
    if (typeof email === "string") return yield* findByEmail(email, account_id)
    return yield* people.ownerOf(account_id ?? (yield* onlyAccount))
  })
})
