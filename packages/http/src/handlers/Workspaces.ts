/** Workspaces of an account, and the use of a plan. */
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Meters } from "@tributary/core/Meters"
import { parseId, UserId } from "@tributary/core/model/Id"
import type { PageRequest } from "@tributary/core/model/Page"
import type { User } from "@tributary/core/model/Person"
import type { Principal } from "@tributary/core/model/Principal"
import { People } from "@tributary/core/People"
import { UsageLog } from "@tributary/core/UsageLog"
import * as Core from "@tributary/core/Workspaces"
import { type Context, Effect, Option } from "effect"
import type { Workspaces } from "../api/Workspaces.ts"
import type { Caller } from "../middleware/Authorization.ts"
import type { Handlers } from "./Handlers.ts"
import { page, toPageRequest } from "./paging.ts"

/** The default number of days of the usage history. */
const DEFAULT_DAYS = 30

interface Person {
  readonly user: Pick<User, "user_id">
  readonly people: Context.Service.Shape<typeof People>
}

/** Null for the operator, and for a host's own principals. */
const userOf = ({ id, type }: Principal): Option.Option<Person["user"]> =>
  type === "user" ? Option.map(parseId(UserId)(id), (user_id) => ({ user_id })) : Option.none()

export const workspaces = Effect.gen(function*() {
  const workspaces = yield* Core.Workspaces
  const keys = yield* ApiKeys
  const meters = yield* Meters
  const usage = yield* UsageLog
  const people = yield* Effect.serviceOption(People)

  /** The acting person, or the person at the origin of the acting key; none for a host's own principals. */
  const personBehind = ({ isHosted = false, principal }: Caller) =>
    isHosted
      ? Effect.succeedNone
      : Effect.map(keys.rootCreator(principal), (maker) => Option.all({ user: userOf(maker), people }))

  /** The personal workspace of the caller's account, if the person owns the account; none otherwise. */
  const speaksFor = (person: Option.Option<Person>, { workspace }: Caller) =>
    Option.match(person, {
      onNone: () => Effect.void,
      onSome: ({ people, user }) => Effect.asVoid(people.permittedAccount(user, workspace.account_id))
    })

  /** With a key that has at most the caller's scopes. */
  const create = Effect.fnUntraced(function*(caller: Caller, name: string) {
    // As in the console: an owner of a shared workspace does not act for the account, nor do that owner's keys.
    yield* speaksFor(yield* personBehind(caller), caller)
    const { principal, scopes } = caller
    const workspace = yield* workspaces.createShared(caller.workspace, name, principal)
    const created = keys.create(workspace.workspace_id, { name, scopes }, principal)
    return { ...workspace, api_key: yield* Effect.catchTag(created, "not_found", Effect.die) }
  })

  /** Those of a signed-in person, those of the account if the caller speaks for it, or else the caller's own. */
  const visible = Effect.fnUntraced(function*(caller: Caller, page: PageRequest) {
    const person = yield* personBehind(caller)
    if (caller.principal.type === "user" && Option.isSome(person)) {
      const { items, next } = yield* person.value.people.workspaces(person.value.user, page)
      return { items: items.map(({ workspace }) => workspace), next }
    }
    const isOfAccount = yield* speaksFor(person, caller).pipe(
      Effect.as(true),
      Effect.catchTag("permission_denied", () => Effect.succeed(false))
    )
    return isOfAccount
      ? yield* workspaces.list(caller.workspace.account_id, page)
      : { items: [caller.workspace], next: null }
  })

  const handlers: Handlers<typeof Workspaces> = {
    getUsage: ({ caller: { scopes, workspace } }) =>
      Effect.map(meters.current(workspace), (usage) => ({ ...usage, scopes })),
    getUsageHistory: ({ caller: { workspace }, query }) =>
      usage.history(workspace.workspace_id, query.days ?? DEFAULT_DAYS),
    createWorkspace: ({ caller, payload }) => create(caller, payload.name),
    listWorkspaces: ({ caller, query }) => Effect.map(visible(caller, toPageRequest(query)), page("workspaces"))
  }
  return handlers
})
