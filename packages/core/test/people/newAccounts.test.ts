import { assert, it } from "@effect/vitest"
import { IdentityProvider } from "@tributary/core/ports/IdentityProvider"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Sessions } from "@tributary/core/Sessions"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Layer } from "effect"
import { store } from "../support/connecting.ts"
import { newReceiver, node } from "../support/receiver.ts"
import { services } from "../support/services.ts"

const ADA = { name: "Ada", email: "ada@example.com" }

const ownersNamed = (email: string) => Effect.flatMap(PeopleStore, (store) => store.findByEmail(null, email, 10))

it.effect("An account with an e-mail has an owner at once, whom an identity provider can sign in", () =>
  Effect.gen(function*() {
    const { createAccount } = yield* Workspaces
    const { account_id } = yield* createAccount(ADA)
    yield* createAccount({ name: "Bo" })
    const owners = yield* ownersNamed(ADA.email)
    assert.deepStrictEqual(owners.map((owner) => [owner.account_id, owner.email_proof]), [[account_id, "operator"]])
  }).pipe(Effect.provide(services)))

it.effect("An account has no owner where no people are kept", () =>
  Effect.gen(function*() {
    const stores = yield* Layer.build(Memory.layer)
    const onlyWorkspaces = Layer.succeed(WorkspaceStore, Context.get(stores, WorkspaceStore))
    const { personal_workspace } = yield* Workspaces.use(({ createAccount }) => createAccount(ADA)).pipe(
      Effect.provide(Layer.provide(Workspaces.layer, onlyWorkspaces))
    )
    assert.strictEqual(personal_workspace.name, "Personal")
    assert.deepStrictEqual(yield* Effect.provideContext(ownersNamed(ADA.email), stores), [])
  }))

it.effect("Somebody who signs up several times at once gets one account", () =>
  Effect.gen(function*() {
    const [sessions, workspaces] = [yield* Sessions, yield* Workspaces]
    const signUp = sessions.fromProvider("https://tributary.test/return", "kept", null)
    const users = yield* Effect.all([signUp, signUp, signUp], { concurrency: "unbounded" })
    const { items } = yield* workspaces.list(null, { limit: 9, cursor: null })
    assert.lengthOf(items, 1)
    for (const { user } of users) assert.strictEqual(user.account_id, items[0]?.account_id)
    assert.deepStrictEqual(yield* ownersNamed(ADA.email), [users[0]!.user])
  }).pipe(
    Effect.provide(Layer.provideMerge(node(newReceiver()), store)),
    Effect.provideService(IdentityProvider, {
      begin: () => Effect.die("nobody goes there"),
      finish: () => Effect.succeed({ issuer: "i", subject: "s", ...ADA }),
      signUp: true
    })
  ))
