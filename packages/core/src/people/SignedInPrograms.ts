/** Programs that act for a user, with an access token of the identity provider instead of a key. */
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { lookUp } from "../internal/lookUp.ts"
import { type AuthenticationFailed, PermissionDenied, type StorageUnavailable } from "../model/Error.ts"
import { WorkspaceId } from "../model/Id.ts"
import { type Membership, principalOf, scopesOf, type User } from "../model/Person.ts"
import type { Principal } from "../model/Principal.ts"
import { coversAll, Scope } from "../model/Scope.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { IdentityProvider, type ProviderUnavailable } from "../ports/IdentityProvider.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"

export interface SignedInProgram {
  readonly principal: Principal
  readonly workspace: WorkspaceRecord
  readonly scopes: ReadonlyArray<Scope>
}

const stranger = () =>
  new PermissionDenied({ message: "Nobody here has this identity yet. Sign in to the console once." })

const outsider = () => new PermissionDenied({ message: "You are in no such workspace." })

const isScope = (scope: string): scope is Scope => Scope.literals.some((known) => known === scope)

/** A token with scopes of ours has only those; one without any has those of its user. */
const scopesFor = ({ role }: Membership, named: ReadonlyArray<string>): ReadonlyArray<Scope> => {
  const scopes = named.filter(isScope)
  return scopes.length === 0 ? scopesOf(role) : scopes.filter((scope) => coversAll(scopesOf(role), [scope]))
}

export class SignedInPrograms extends Context.Service<SignedInPrograms, {
  /** The issuer of the tokens, or null. */
  readonly issuer: string | null
  /** The user of a token for `audience`, in the named workspace, or else in their personal or oldest one. */
  authenticate(token: Redacted.Redacted, audience: string, workspaceId: string | null): Effect.Effect<
    SignedInProgram,
    AuthenticationFailed | PermissionDenied | ProviderUnavailable | StorageUnavailable
  >
}>()("@tributary/core/SignedInPrograms") {
  static readonly layer = Layer.effect(
    SignedInPrograms,
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const tokens = (yield* IdentityProvider)?.accessTokens

      const membershipOf = Effect.fnUntraced(function*({ user_id }: User, workspaceId: string | null) {
        if (workspaceId === null) {
          const own = yield* people.personal(user_id)
          if (Option.isSome(own)) return Option.some({ workspace: own.value, role: "owner" as const })
          return Option.fromUndefinedOr((yield* people.memberships(user_id, { after: null, limit: 1 }))[0])
        }
        return yield* lookUp(WorkspaceId, workspaceId, (id) => people.membership(user_id, id))
      })

      const authenticate = Effect.fn("SignedInPrograms.authenticate")(
        function*(token: Redacted.Redacted, audience: string, workspaceId: string | null) {
          if (tokens === undefined) return yield* stranger()
          const bearer = yield* tokens.verify(token, audience)
          const user = yield* Effect.fromOption(yield* people.findByIdentity(bearer), stranger)
          const membership = yield* Effect.fromOption(yield* membershipOf(user, workspaceId), outsider)
          return {
            principal: principalOf(user),
            workspace: membership.workspace,
            scopes: scopesFor(membership, bearer.scopes)
          }
        }
      )

      return SignedInPrograms.of({ issuer: tokens?.issuer ?? null, authenticate })
    })
  )
}
