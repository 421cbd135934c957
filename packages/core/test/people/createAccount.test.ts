import { assert, it } from "@effect/vitest"
import { creatingAccounts } from "@tributary/core/createAccount"
import { People } from "@tributary/core/People"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { Effect, Layer } from "effect"
import { services } from "../support/services.ts"

const ADA = { name: "Ada", email: "ada@example.com" }

const ownersNamed = (email: string) => Effect.flatMap(PeopleStore, (store) => store.findByEmail(null, email, 10))

it.effect("An account with an e-mail has an owner at once, whom an identity provider can sign in", () =>
  Effect.gen(function*() {
    const create = yield* creatingAccounts
    const { account_id } = yield* create(ADA)
    yield* create({ name: "Bo" })
    const owners = yield* ownersNamed(ADA.email)
    assert.deepStrictEqual(owners.map((owner) => [owner.account_id, owner.email_proof]), [[account_id, "operator"]])
  }).pipe(Effect.provide(Layer.provideMerge(People.layer, services))))

it.effect("An account has no owner where no people are kept", () =>
  Effect.gen(function*() {
    const create = yield* creatingAccounts
    assert.strictEqual((yield* create(ADA)).personal_workspace.name, "Personal")
    assert.deepStrictEqual(yield* ownersNamed(ADA.email), [])
  }).pipe(Effect.provide(services)))
