/**
 * Creates an account for an operator. An owner with an e-mail exists from now on, so that an identity provider can sign
 * it in without a link before; without people, and without an e-mail, there is no owner yet.
 */
import { Effect, Option } from "effect"
import { People } from "../People.ts"
import { Workspaces } from "../Workspaces.ts"
import type { NewAccount } from "../../model/Workspace.ts"

export const creatingAccounts = Effect.gen(function*() {
  const workspaces = yield* Workspaces
  const people = yield* Effect.serviceOption(People)

  return Effect.fn("createAccount")(function*(wanted: NewAccount) {
    const created = yield* workspaces.createAccount(wanted)
    if ((wanted.email ?? null) !== null && Option.isSome(people)) {
      yield* Effect.catchTag(people.value.ownerOf(created.account_id), "not_found", Effect.die)
    }
    return created
  })
})
