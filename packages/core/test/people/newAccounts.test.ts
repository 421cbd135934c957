import { assert, it } from "@effect/vitest"
import { StorageUnavailable } from "@tributary/core/model/Error"
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

/** The process ends as soon as the first account is stored. */
const endingOnce = Layer.effect(
  WorkspaceStore,
  Effect.map(WorkspaceStore, (inner) => {
    let ended = false
    return WorkspaceStore.of({
      ...inner,
      createAccount: Effect.fnUntraced(function*(...account) {
        yield* inner.createAccount(...account)
        if (ended) return
        ended = true
        return yield* new StorageUnavailable({ cause: "ended" })
      })
    })
  })
)

it.effect("Somebody who signs up again after the process ended halfway gets the account that was begun", () =>
  Effect.gen(function*() {
    const [sessions, workspaces] = [yield* Sessions, yield* Workspaces]
    const signUp = sessions.fromProvider("https://tributary.test/return", "kept", null)
    assert.strictEqual((yield* Effect.flip(signUp))._tag, "StorageUnavailable")
    const { user } = yield* signUp
    const { items } = yield* workspaces.list(null, { limit: 9, cursor: null })
    assert.deepStrictEqual(items.map(({ account_id }) => account_id), [user.account_id])
  }).pipe(
    Effect.provide(Layer.provideMerge(node(newReceiver()), Layer.provideMerge(endingOnce, store))),
    Effect.provideService(IdentityProvider, {
      begin: () => Effect.die("nobody goes there"),
      finish: () => Effect.succeed({ issuer: "i", subject: "s", ...ADA }),
      signUp: true
    })
  ))
