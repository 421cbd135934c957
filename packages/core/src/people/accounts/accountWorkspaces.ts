/**
 * The workspaces of an account, for a caller. A key acts for the user at the start of the chain of keys that created it.
 * As only the owner of an account acts for it, an owner of a shared workspace does not, nor do that owner's keys.
 */
import { Effect, Option } from "effect"
import { ApiKeys } from "../ApiKeys.ts"
import { People } from "../People.ts"
import { Workspaces } from "../Workspaces.ts"
import { parseId, UserId } from "../../model/Id.ts"
import type { PageRequest } from "../../model/Page.ts"
import { principalOf, type User } from "../../model/Person.ts"
import type { Principal } from "../../model/Principal.ts"
import type { Scope } from "../../model/Scope.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"

/** A caller in a workspace. */
export interface Actor {
  readonly workspace: WorkspaceRecord
  readonly principal: Principal
  readonly scopes: ReadonlyArray<Scope>
  /** Whether a host vouches for the caller: users of the host are not users of this service. */
  readonly isHosted?: boolean
}

type UserRef = Pick<User, "user_id">

/** None for the operator. */
const userOf = ({ id, type }: Principal): Option.Option<UserRef> =>
  type === "user" ? Option.map(parseId(UserId)(id), (user_id) => ({ user_id })) : Option.none()

export const accountWorkspaces = Effect.gen(function*() {
  const workspaces = yield* Workspaces
  const keys = yield* ApiKeys
  const people = yield* Effect.serviceOption(People)

  /** The acting user, or the one for whom the acting key acts; none for operators, for hosts, and without people. */
  const responsibleUser = ({ isHosted = false, principal }: Actor) =>
    isHosted
      ? Effect.succeedNone
      : Effect.map(keys.rootCreator(principal), (creator) => Option.all({ user: userOf(creator), people }))

  type Responsible = Effect.Success<ReturnType<typeof responsibleUser>>

  /** Fails if there is a responsible user who does not own the account. */
  const requireAccountOwner = (responsible: Responsible, { workspace }: Actor) =>
    Option.match(responsible, {
      onNone: () => Effect.void,
      onSome: ({ people, user }) => Effect.asVoid(people.permittedAccount(user, workspace.account_id))
    })

  return {
    /** A shared workspace of the account together with a key that has the caller's scopes. */
    create: Effect.fn("accountWorkspaces.create")(function*(actor: Actor, name: string) {
      yield* requireAccountOwner(yield* responsibleUser(actor), actor)
      const { principal, scopes } = actor
      const { issued, stored } = yield* keys.issue({ name, scopes }, principal)
      const workspace = yield* workspaces.createShared(actor.workspace, name, principal, stored).pipe(
        // The caller's key may have been revoked meanwhile.
        Effect.tapErrorTag("unprocessable_entity", () => keys.rootCreator(principal))
      )
      return { ...workspace, api_key: issued }
    }),

    /** All that a signed-in user is a member of; those of the account for its owner's keys; or only the caller's own. */
    list: Effect.fn("accountWorkspaces.list")(function*(actor: Actor, page: PageRequest) {
      const responsible = yield* responsibleUser(actor)
      if (actor.principal.type === "user" && Option.isSome(responsible)) {
        const { people, user } = responsible.value
        const { items, next } = yield* people.workspaces(user, page)
        return { items: items.map(({ workspace }) => workspace), next }
      }
      const actsForAccount = yield* requireAccountOwner(responsible, actor).pipe(
        Effect.as(true),
        Effect.catchTag("permission_denied", () => Effect.succeed(false))
      )
      return actsForAccount
        ? yield* workspaces.list(actor.workspace.account_id, page)
        : { items: [actor.workspace], next: null }
    })
  }
})

/** The shared workspaces of a user's own account. */
export const ownAccount = Effect.gen(function*() {
  const workspaces = yield* Workspaces
  const people = yield* People

  return {
    createShared: (user: User, name: string) =>
      Effect.flatMap(
        people.permittedAccount(user),
        (personal) => workspaces.createShared(personal, name, principalOf(user))
      ),
    /** Null for a user without an account. */
    sharedAllowance: (user: User) =>
      people.permittedAccount(user).pipe(
        Effect.flatMap(workspaces.sharedAllowance),
        Effect.catchTag("permission_denied", () => Effect.succeed(null))
      )
  }
})
