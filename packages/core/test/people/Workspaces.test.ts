import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@tributary/core/ports/JobStore"
import type { NotFound, StorageUnavailable } from "@tributary/core/model/Error"
import { OPERATOR } from "@tributary/core/model/Principal"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Workspaces } from "@tributary/core/Workspaces"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { services, servicesOver } from "../support/services.ts"

/** Whose accounts are deleted as soon as they are to get a shared workspace. */
const deleting = Layer.effect(
  WorkspaceStore,
  Effect.map(WorkspaceStore, (store) =>
    WorkspaceStore.of({
      ...store,
      createShared: (workspace, ...options) =>
        Effect.andThen(store.removeAccount(workspace.account_id), store.createShared(workspace, ...options))
    }))
)

const all = { limit: 100, cursor: null }

describe("an account", () => {
  it.effect("has a personal workspace, on the free plan by default", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_000)
      const workspaces = yield* Workspaces
      const { account_id, personal_workspace } = yield* workspaces.createAccount({ name: "Ada" })
      assert.deepStrictEqual(personal_workspace, {
        workspace_id: personal_workspace.workspace_id,
        account_id,
        name: "Personal",
        kind: "personal",
        tier: "free",
        created_at: new Date(1_700_000_000_000),
        grandfathered: false,
        suspended: false,
        overrides: {}
      })
      assert.deepStrictEqual(yield* workspaces.find(personal_workspace.workspace_id), personal_workspace)
      assert.strictEqual(
        (yield* workspaces.createAccount({ name: "Bob", email: null, tier: "pro" })).personal_workspace.tier,
        "pro"
      )
    }).pipe(Effect.provide(services)))

  it.effect("is erased with all its workspaces, and no others", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const ada = yield* workspaces.createAccount({ name: "Ada" })
      const bob = yield* workspaces.createAccount({ name: "Bob" })
      yield* Effect.forEach(Array.from({ length: 120 }), () => workspaces.addShared(ada.account_id, "S"))
      yield* workspaces.eraseAccount(ada.account_id.toUpperCase())
      assert.deepStrictEqual((yield* workspaces.list(null, all)).items, [bob.personal_workspace])
      const failed = yield* Effect.all([
        Effect.flip(workspaces.eraseAccount(ada.account_id)),
        Effect.flip(workspaces.addShared(ada.account_id, "S")),
        Effect.flip(workspaces.find(ada.personal_workspace.workspace_id))
      ])
      assert.deepStrictEqual(failed.map(({ _tag }) => _tag), ["not_found", "not_found", "not_found"])
      assert.deepStrictEqual(failed.map(({ message }) => message), [
        "No such account.",
        "No such account.",
        "No such workspace."
      ])
    }).pipe(Effect.provide(services)))
})

describe("a shared workspace", () => {
  it.effect("is created by a member within the plan's allowance, which the error names", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { personal_workspace: member } = yield* workspaces.createAccount({ name: "Ada" })
      const shared = yield* workspaces.createShared(member, "Team", OPERATOR)
      assert.deepInclude(shared, { account_id: member.account_id, kind: "shared", name: "Team", tier: "free" })
      for (const from of [member, shared]) {
        const error = yield* Effect.flip(workspaces.createShared(from, "More", OPERATOR))
        assert.strictEqual(error._tag, "unprocessable_entity")
        assert.match(error.message, /allows 1 shared workspace\b/)
      }
      assert.deepStrictEqual(yield* workspaces.sharedAllowance(member), { used: 1, limit: 1 })
      const more = yield* workspaces.update(member.workspace_id, { limits: { shared_workspaces: 2 } })
      assert.deepStrictEqual(yield* workspaces.sharedAllowance(more), { used: 1, limit: 2 })
      yield* workspaces.createShared(more, "Second", OPERATOR)
      assert.match(
        (yield* Effect.flip(workspaces.createShared(more, "Third", OPERATOR))).message,
        /allows 2 shared workspaces/
      )
    }).pipe(Effect.provide(services)))

  it.effect("is created once if many ask for the last one concurrently", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { personal_workspace: member } = yield* workspaces.createAccount({ name: "Ada" })
      const results = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.result(workspaces.createShared(member, "Team", OPERATOR)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(({ _tag }) => _tag === "Success"), 1)
    }).pipe(Effect.provide(services)))

  it.effect("is created by an operator whatever the allowance, on the account's plan", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { account_id } = yield* workspaces.createAccount({ name: "Ada", tier: "pro" })
      const added = yield* Effect.forEach(Array.from({ length: 12 }), () => workspaces.addShared(account_id, "S"))
      assert.isTrue(added.every(({ tier, kind }) => tier === "pro" && kind === "shared"))
      for (const id of ["x", "", "00000000-0000-7000-8000-000000000000"]) {
        assert.strictEqual((yield* Effect.flip(workspaces.addShared(id, "S")))._tag, "not_found")
      }
    }).pipe(Effect.provide(services)))

  it.effect("gets the plan of the account, not of the calling workspace", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { personal_workspace } = yield* workspaces.createAccount({ name: "Ada" })
      const member = yield* workspaces.update(personal_workspace.workspace_id, { tier: "pro" })
      assert.strictEqual((yield* workspaces.createShared(member, "Team", OPERATOR)).tier, "free")
    }).pipe(Effect.provide(services)))
})

describe("workspaces", () => {
  it.effect("are listed oldest first, of one account or of all", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const ada = yield* workspaces.createAccount({ name: "Ada" })
      const bob = yield* workspaces.createAccount({ name: "Bob" })
      const team = yield* workspaces.addShared(ada.account_id, "Team")
      const first = yield* workspaces.list(null, { limit: 2, cursor: null })
      assert.deepStrictEqual(first.items, [ada.personal_workspace, bob.personal_workspace])
      assert.deepStrictEqual(yield* workspaces.list(null, { limit: 2, cursor: first.next }), {
        items: [team],
        next: null
      })
      assert.deepStrictEqual((yield* workspaces.list(ada.account_id, all)).items, [ada.personal_workspace, team])
      assert.strictEqual((yield* Effect.flip(workspaces.list(null, { limit: 1, cursor: "x" })))._tag, "InvalidCursor")
    }).pipe(Effect.provide(services)))

  it.effect("change one limit at a time, and are not found under an invalid id", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { personal_workspace: { workspace_id } } = yield* workspaces.createAccount({ name: "Ada" })
      yield* workspaces.update(workspace_id, { limits: { documents: 5 }, suspended: true })
      const changed = yield* workspaces.update(workspace_id, { limits: { ask: null }, tier: "pro" })
      assert.deepInclude(changed, {
        tier: "pro",
        suspended: true,
        grandfathered: false,
        overrides: { documents: 5, ask: null }
      })
      for (const id of ["x", "00000000-0000-7000-8000-000000000000"]) {
        const { erase, find, update } = workspaces
        const calls: ReadonlyArray<Effect.Effect<unknown, NotFound | StorageUnavailable>> = [
          update(id, { tier: "pro" }),
          find(id),
          erase(id)
        ]
        for (const call of calls) {
          assert.deepInclude(yield* Effect.flip(call), { _tag: "not_found", message: "No such workspace." })
        }
      }
    }).pipe(Effect.provide(services)))

  it.effect("disappear for every caller at once, and their data is erased by a job", () =>
    Effect.gen(function*() {
      const [workspaces, jobs] = [yield* Workspaces, yield* JobStore]
      const { personal_workspace: { workspace_id } } = yield* workspaces.createAccount({ name: "Ada" })
      yield* workspaces.erase(workspace_id)
      assert.strictEqual((yield* Effect.flip(workspaces.find(workspace_id)))._tag, "not_found")
      assert.strictEqual((yield* Effect.flip(workspaces.erase(workspace_id)))._tag, "not_found")
      const claim = yield* jobs.claim(["maintenance"], Duration.minutes(1), new Date(0))
      assert.isTrue(claim._tag === "Some" && claim.value.job.payload === "{\"type\":\"erase_workspace\"}")
    }).pipe(Effect.provide(services)))

  it.effect("is not created in an account that is deleted at this moment", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const ada = yield* workspaces.createAccount({ name: "Ada" })
      const bob = yield* workspaces.createAccount({ name: "Bob" })
      const failed = yield* Effect.all([
        Effect.flip(workspaces.addShared(ada.account_id, "Team")),
        Effect.flip(workspaces.createShared(bob.personal_workspace, "Team", OPERATOR))
      ])
      assert.deepStrictEqual(failed.map(({ message }) => message), [
        "No such account.",
        "This account has been deleted."
      ])
    }).pipe(Effect.provide(servicesOver(deleting))))
})
