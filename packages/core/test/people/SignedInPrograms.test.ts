/** Programs that act for a person with an access token. */
import { assert, it } from "@effect/vitest"
import type { AccountId, UserId, WorkspaceId } from "@tributary/core/model/Id"
import { type Role, scopesOf } from "@tributary/core/model/Person"
import { IdentityProvider } from "@tributary/core/ports/IdentityProvider"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SignedInPrograms } from "@tributary/core/SignedInPrograms"
import { Effect, Layer, Option, Redacted } from "effect"

const ID = "0199d3a0-5b7e-7c2f-9a31-3f1f0c6f2f55"

const ada = {
  user_id: ID as UserId,
  account_id: ID as AccountId,
  email: "ada@example.com",
  email_proof: "openid",
  name: "Ada",
  created_at: new Date(0)
} as const

const workspace = {
  workspace_id: ID as WorkspaceId,
  account_id: ID as AccountId,
  name: "Team",
  kind: "shared",
  tier: "pro",
  created_at: new Date(0),
  grandfathered: false,
  suspended: false,
  overrides: {}
} as const

/** Those of a program whose token names some, in a workspace in which its person has a role. */
const scopesFor = (role: Role, scopes: ReadonlyArray<string>) => {
  const people = Layer.mock(PeopleStore, {
    findByIdentity: () => Effect.succeedSome(ada),
    membership: () => Effect.succeedSome({ role, workspace }),
    personal: () => Effect.succeed(Option.none())
  })
  const issuer = "https://identity.example"
  const provider = {
    begin: () => Effect.never,
    finish: () => Effect.never,
    signUp: false,
    accessTokens: { issuer, verify: () => Effect.succeed({ issuer, subject: "ada", scopes }) }
  }
  const layer = SignedInPrograms.layer.pipe(
    Layer.provide(Layer.mergeAll(people, Layer.succeed(IdentityProvider, provider)))
  )
  return Effect.gen(function*() {
    const programs = yield* SignedInPrograms
    return (yield* programs.authenticate(Redacted.make("token"), "https://tributary.test/mcp", ID)).scopes
  }).pipe(Effect.provide(layer))
}

it.effect("A program has the scopes that its token names, as far as its person has them", () =>
  Effect.gen(function*() {
    const ours = ["knowledge:read", "audit:read", "workspaces:write", "api:write"] as const
    assert.deepStrictEqual(yield* scopesFor("member", ["openid", ...ours]), ["knowledge:read"])
    assert.deepStrictEqual(yield* scopesFor("owner", ["openid", ...ours]), ours)
    assert.deepStrictEqual(yield* scopesFor("member", ["audit:read"]), [])
    assert.deepStrictEqual(yield* scopesFor("member", ["openid"]), scopesOf("member"))
  }))
