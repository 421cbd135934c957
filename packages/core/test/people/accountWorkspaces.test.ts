import { assert, describe, it } from "@effect/vitest"
import { accountWorkspaces, type Actor, ownAccount } from "@tributary/core/accountWorkspaces"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Invitations } from "@tributary/core/Invitations"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { principalOf, type User } from "@tributary/core/model/Person"
import { OPERATOR, type Principal } from "@tributary/core/model/Principal"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { People } from "@tributary/core/People"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { ReceivedInvitations } from "@tributary/core/ReceivedInvitations"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Exit, Layer } from "effect"
import { services, servicesOver } from "../support/services.ts"

const withKeys = Layer.provideMerge(ApiKeys.layer, services)
const withPeople = Layer.mergeAll(Invitations.layer, ReceivedInvitations.layer).pipe(
  Layer.provideMerge(People.layer),
  Layer.provideMerge(withKeys)
)

const ALL = { limit: 100, cursor: null }

/** The owners of two accounts; Bo is an owner of Ada's shared workspace, too. */
const owners = Effect.gen(function*() {
  const [people, workspaces] = [yield* People, yield* Workspaces]
  const { personal_workspace } = yield* workspaces.createAccount({ name: "Ada", tier: "pro" })
  const team = yield* workspaces.addShared(personal_workspace.account_id, "Team")
  const other = yield* workspaces.createAccount({ name: "Bo" })
  const ada = yield* people.ownerOf(personal_workspace.account_id)
  const bo = yield* people.ownerOf(other.account_id)
  const invited = yield* (yield* Invitations).invite(ada, team, { email: "bo@example.com", role: "owner" })
  yield* (yield* ReceivedInvitations).acceptLink(bo, invited!.link.token)
  return { ada, bo, team, personal: personal_workspace, bos: other.personal_workspace }
})

const acting = (workspace: WorkspaceRecord, principal: Principal): Actor => ({
  workspace,
  principal,
  scopes: ["api:read", "workspaces:write"]
})

/** A key of the workspace that the principal creates. */
const keyOf = (workspace: WorkspaceRecord, creator: Principal) =>
  Effect.gen(function*() {
    const key = { name: "CI", scopes: ["api:write"] } as const
    const { key_id } = yield* (yield* ApiKeys).create(workspace.workspace_id, key, creator)
    return acting(workspace, { type: "api_key", id: key_id })
  })

/** A key that was created by a key of the user. */
const keyOfKeyOf = (workspace: WorkspaceRecord, user: User) =>
  Effect.flatMap(keyOf(workspace, principalOf(user)), ({ principal }) => keyOf(workspace, principal))

const namesFor = (actor: Actor) =>
  Effect.gen(function*() {
    const { items } = yield* (yield* accountWorkspaces).list(actor, ALL)
    return items.map(({ name, workspace_id }) => name === "Personal" ? workspace_id : name)
  })

/** The first key that is stored in a call of its own, as with a backend that has just become unreachable. */
const withoutKeyStore = Layer.effect(
  ApiKeyStore,
  Effect.map(
    ApiKeyStore,
    (inner) => ApiKeyStore.of({ ...inner, insert: () => Effect.fail(new StorageUnavailable({ cause: "gone" })) })
  )
)

describe("the workspaces of an account", () => {
  it.effect("are never without the key with which they are created, and use up no allowance then", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { personal_workspace } = yield* workspaces.createAccount({ name: "Ada" })
      const { create } = yield* accountWorkspaces
      const created = yield* Effect.exit(create(acting(personal_workspace, OPERATOR), "New"))
      const { used } = yield* workspaces.sharedAllowance(personal_workspace)
      assert.strictEqual(used, Exit.isSuccess(created) ? 1 : 0)
    }).pipe(Effect.provide(Layer.provideMerge(ApiKeys.layer, servicesOver(withoutKeyStore)))))

  it.effect("are created by its owner, and by the keys that come from the owner or the operator", () =>
    Effect.gen(function*() {
      const { ada, personal, team } = yield* owners
      const { create } = yield* accountWorkspaces
      const actors = [
        acting(team, principalOf(ada)),
        yield* keyOfKeyOf(team, ada),
        yield* keyOf(personal, OPERATOR)
      ]
      for (const actor of actors) {
        const { account_id, api_key, kind, workspace_id } = yield* create(actor, "New")
        assert.deepStrictEqual([account_id, kind], [personal.account_id, "shared"])
        assert.deepStrictEqual([api_key.scopes, api_key.created_by], [actor.scopes, actor.principal])
        assert.lengthOf(yield* (yield* ApiKeys).list(workspace_id), 1)
      }
    }).pipe(Effect.provide(withPeople)))

  it.effect("are not created by another owner of a shared one, nor by that owner's keys", () =>
    Effect.gen(function*() {
      const { bo, personal, team } = yield* owners
      const { create } = yield* accountWorkspaces
      for (const actor of [acting(team, principalOf(bo)), yield* keyOfKeyOf(team, bo)]) {
        const { _tag, message } = yield* Effect.flip(create(actor, "New"))
        assert.deepStrictEqual([_tag, message], ["permission_denied", "Only the owner of the account may do this."])
      }
      assert.lengthOf((yield* (yield* Workspaces).list(personal.account_id, ALL)).items, 2)
    }).pipe(Effect.provide(withPeople)))

  it.effect("are all listed for the keys of its owner, and one by one for keys of others", () =>
    Effect.gen(function*() {
      const { ada, bo, personal, team } = yield* owners
      for (const actor of [yield* keyOfKeyOf(team, ada), yield* keyOf(team, OPERATOR), acting(team, OPERATOR)]) {
        assert.deepStrictEqual(yield* namesFor(actor), [personal.workspace_id, "Team"])
      }
      assert.deepStrictEqual(yield* namesFor(yield* keyOfKeyOf(team, bo)), ["Team"])
    }).pipe(Effect.provide(withPeople)))

  it.effect("are listed for a user with those of other accounts that the user is a member of", () =>
    Effect.gen(function*() {
      const { bo, bos, team } = yield* owners
      const listed = yield* namesFor(acting(team, principalOf(bo)))
      assert.sameMembers(listed, [bos.workspace_id, "Team"])
    }).pipe(Effect.provide(withPeople)))

  it.effect("are those of the account for a user of a host, whatever id the host gives its users", () =>
    Effect.gen(function*() {
      const { bo, personal, team } = yield* owners
      const actor = { ...acting(team, principalOf(bo)), isHosted: true }
      assert.deepStrictEqual(yield* namesFor(actor), [personal.workspace_id, "Team"])
      assert.strictEqual((yield* (yield* accountWorkspaces).create(actor, "New")).account_id, personal.account_id)
    }).pipe(Effect.provide(withPeople)))

  it.effect("are created and listed by every key where no people are kept", () =>
    Effect.gen(function*() {
      const workspaces = yield* Workspaces
      const { personal_workspace: personal } = yield* workspaces.createAccount({ name: "Ada" })
      const actor = yield* keyOf(personal, OPERATOR)
      yield* (yield* accountWorkspaces).create(actor, "New")
      assert.deepStrictEqual(yield* namesFor(actor), [personal.workspace_id, "New"])
    }).pipe(Effect.provide(withKeys)))
})

describe("a user's own account", () => {
  it.effect("gets the shared workspaces that the user creates, within an allowance", () =>
    Effect.gen(function*() {
      const { bo, bos } = yield* owners
      const { createShared, sharedAllowance } = yield* ownAccount
      assert.deepStrictEqual(yield* sharedAllowance(bo), { used: 0, limit: 1 })
      assert.strictEqual((yield* createShared(bo, "New")).account_id, bos.account_id)
      assert.deepStrictEqual(yield* sharedAllowance(bo), { used: 1, limit: 1 })
    }).pipe(Effect.provide(withPeople)))

  it.effect("has no allowance if the user does not own it", () =>
    Effect.gen(function*() {
      const { ada, personal } = yield* owners
      yield* (yield* People).setOwner(personal.account_id, "cy@example.com")
      const { createShared, sharedAllowance } = yield* ownAccount
      assert.isNull(yield* sharedAllowance(ada))
      assert.strictEqual((yield* Effect.flip(createShared(ada, "New")))._tag, "permission_denied")
    }).pipe(Effect.provide(withPeople)))
})
