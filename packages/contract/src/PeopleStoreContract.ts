/** The contract of `PeopleStore`. */
import { assert } from "@effect/vitest"
import { InvitationId, UserId } from "@tributary/core/model/Id"
import type { Role, User } from "@tributary/core/model/Person"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import {
  fiftyTimes,
  freshTeam,
  moment,
  newAccount,
  newEmail,
  newHash,
  newInvitation,
  newJob,
  newQueue,
  newSession,
  newUser,
  newUuid,
  newWorkspace
} from "./internal/fixtures.ts"
import { type PeopleKit, RUNS } from "./internal/Kit.ts"

const everything = { after: null, limit: 100 }

/** A user who took up an invitation to the workspace, and has proven nothing. */
const joined = Effect.fnUntraced(function*(
  workspace: WorkspaceRecord,
  role: Role = "member",
  email: string = newEmail()
) {
  const people = yield* PeopleStore
  const invitation = newInvitation({ role, email })
  const link = newHash()
  yield* people.invite(workspace.workspace_id, invitation, 100)
  yield* people.addLink(link, { invitation_id: invitation.invitation_id }, moment(1_000))
  const options = { newUserId: UserId.make(newUuid()), maximum: 9 }
  return Option.getOrThrow(yield* (yield* SessionStore).signIn(link, newSession(), newHash(), options))
})

/** The same, after a link of the operator. */
const proven = Effect.fnUntraced(function*({ user_id }: User) {
  const link = newHash()
  yield* (yield* PeopleStore).addLink(link, { user_id }, moment(1_000))
  const options = { newUserId: UserId.make(newUuid()), maximum: 9 }
  return Option.getOrThrow(yield* (yield* SessionStore).signIn(link, newSession(), newHash(), options))
})

const rolesIn = Effect.fnUntraced(function*({ workspace_id }: WorkspaceRecord) {
  const members = yield* (yield* PeopleStore).members(workspace_id, everything)
  return new Map(members.map(({ role, user_id }) => [user_id, role]))
})

export const peopleStoreContract = (it: PeopleKit): void => {
  it.effect.prop("returns a user as it was created", [anyText], ([name]) =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const account = newAccount()
      yield* (yield* WorkspaceStore).createAccount(account, newWorkspace(account))
      const user = newUser(account.account_id, { name, created_at: moment(7) })
      assert.deepStrictEqual(yield* people.owner(user), Option.some(user))
      assert.deepStrictEqual(yield* people.findByEmail(null, user.email!, 9), [user])
      assert.deepStrictEqual(yield* people.find(user.user_id), Option.some(user))
    }), RUNS)

  it.effect("gives an account one owner, of all its workspaces, with fifty concurrent calls", () =>
    Effect.gen(function*() {
      const [people, workspaces] = [yield* PeopleStore, yield* WorkspaceStore]
      const account = newAccount()
      const [personal, shared] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
      yield* workspaces.createAccount(account, personal)
      yield* workspaces.createShared(shared, null, null)
      const owners = yield* fiftyTimes(() => people.owner(newUser(account.account_id)))
      const ids = new Set(owners.map((owner) => Option.getOrThrow(owner).user_id))
      assert.strictEqual(ids.size, 1)
      const roles = new Map([[[...ids][0]!, "owner" as const]])
      assert.deepStrictEqual([yield* rolesIn(personal), yield* rolesIn(shared)], [roles, roles])
      assert.isTrue(Option.isNone(yield* people.owner(newUser(newAccount().account_id))))
    }))

  it.effect("creates an account together with its owner, who also owns what is added to it", () =>
    Effect.gen(function*() {
      const [people, workspaces, account] = [yield* PeopleStore, yield* WorkspaceStore, newAccount()]
      const [personal, shared] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
      const owner = newUser(account.account_id, { created_at: moment(7) })
      yield* workspaces.createAccount(account, personal, owner)
      yield* workspaces.createShared(shared, null, null)
      assert.deepStrictEqual(yield* people.owner(newUser(account.account_id)), Option.some(owner))
      const roles = new Map([[owner.user_id, "owner" as const]])
      assert.deepStrictEqual([yield* rolesIn(personal), yield* rolesIn(shared)], [roles, roles])
    }))

  it.effect("makes another user the first owner where there are only members, without an e-mail that one has proven", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const account = newAccount()
      const home = newWorkspace(account)
      yield* (yield* WorkspaceStore).createAccount(account, home)
      const { email, user_id } = yield* proven(yield* joined(home))
      const owner = newUser(account.account_id, { email })
      const stored = { ...owner, email: null, email_proof: "none" as const }
      assert.deepStrictEqual(yield* people.owner(owner), Option.some(stored))
      assert.deepStrictEqual(yield* rolesIn(home), new Map([[user_id, "member"], [owner.user_id, "owner"]]))
      assert.isTrue(Option.isNone(yield* people.personal(user_id)))
    }))

  it.effect("gives the owner of an account every new workspace, and nobody else", () =>
    Effect.gen(function*() {
      const workspaces = yield* WorkspaceStore
      const { account, owner, personal, shared } = yield* freshTeam
      yield* joined(shared, "owner")
      yield* joined(personal)
      const [next, last] = [newWorkspace(account, { kind: "shared" }), newWorkspace(account, { kind: "shared" })]
      yield* workspaces.createShared(next, null, null)
      assert.deepStrictEqual(yield* rolesIn(next), new Map([[owner.user_id, "owner"]]))
      yield* workspaces.close(personal.workspace_id, newJob(personal.workspace_id, newQueue()))
      yield* workspaces.createShared(last, null, null)
      assert.deepStrictEqual(yield* rolesIn(last), new Map())
    }))

  it.effect("finds users by e-mail, of one account or of all", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const email = newEmail()
      const found: Array<User> = []
      for (let count = 0; count < 2; count++) {
        const account = newAccount()
        yield* (yield* WorkspaceStore).createAccount(account, newWorkspace(account))
        found.push(Option.getOrThrow(yield* people.owner(newUser(account.account_id, { email }))))
      }
      assert.sameDeepMembers([...yield* people.findByEmail(null, email, 9)], found)
      assert.strictEqual((yield* people.findByEmail(null, email, 1)).length, 1)
      assert.deepStrictEqual(yield* people.findByEmail(found[1]!.account_id, email, 9), found.slice(1))
      assert.deepStrictEqual(yield* people.findByEmail(null, newEmail(), 9), [])
    }))

  it.effect("finds users with a proven e-mail first", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const [account, stranger, email] = [newAccount(), yield* freshTeam, newEmail()]
      const home = newWorkspace(account)
      yield* (yield* WorkspaceStore).createAccount(account, home)
      const unproven = yield* joined(stranger.shared, "member", email)
      const owner = Option.getOrThrow(yield* people.owner(newUser(account.account_id, { email })))
      assert.deepStrictEqual(yield* people.findByEmail(null, email, 1), [owner])
      assert.deepStrictEqual(yield* people.findByEmail(null, email, 9), [owner, unproven])
      assert.strictEqual(yield* people.invite(home.workspace_id, newInvitation({ email }), 9), "present")
    }))

  it.effect("renames a user, and sets a missing e-mail, unless another user of the account has proven it", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const account = newAccount()
      const [personal, shared] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
      yield* (yield* WorkspaceStore).createAccount(account, personal)
      yield* (yield* WorkspaceStore).createShared(shared, null, null)
      const user = newUser(account.account_id, { email: null, email_proof: "none" })
      yield* people.owner(user)
      const named = { ...user, name: "Grace" }
      assert.deepStrictEqual(yield* people.update(user.user_id, { name: "Grace" }), Option.some(named))
      const { email: taken } = yield* proven(yield* joined(shared))
      assert.isTrue(Option.isNone(yield* people.update(user.user_id, { email: taken! })))
      const { email } = yield* joined(shared)
      yield* proven(yield* joined((yield* freshTeam).shared, "member", email!))
      assert.deepStrictEqual(
        yield* people.update(user.user_id, { email: email! }),
        Option.some({ ...named, email, email_proof: "operator" })
      )
      assert.isTrue(Option.isNone(yield* people.update(user.user_id, { email: newEmail() })))
      assert.isTrue(Option.isNone(yield* people.update(UserId.make(newUuid()), { name: "x" })))
    }))

  it.effect("returns a user's role in a workspace, and pages through all workspaces of the user", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { owner, personal, shared } = yield* freshTeam
      const stranger = yield* freshTeam
      const member = yield* joined(shared)
      assert.deepStrictEqual(
        yield* people.membership(member.user_id, shared.workspace_id),
        Option.some({ workspace: shared, role: "member" })
      )
      for (const { workspace_id } of [personal, stranger.shared]) {
        assert.isTrue(Option.isNone(yield* people.membership(member.user_id, workspace_id)))
      }
      const all = [{ workspace: personal, role: "owner" as const }, { workspace: shared, role: "owner" as const }]
      assert.deepStrictEqual(yield* people.memberships(owner.user_id, everything), all)
      assert.deepStrictEqual(yield* people.memberships(owner.user_id, { after: null, limit: 1 }), all.slice(0, 1))
      assert.deepStrictEqual(
        yield* people.memberships(owner.user_id, { after: personal.workspace_id, limit: 9 }),
        all.slice(1)
      )
    }))

  it.effect("lists the members of a workspace page by page", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { owner, shared } = yield* freshTeam
      const { email, name, user_id } = yield* joined(shared)
      const members = yield* people.members(shared.workspace_id, everything)
      assert.deepStrictEqual(members[1], {
        user_id,
        email,
        email_proof: "none",
        name,
        role: "member",
        joined_at: moment()
      })
      assert.deepStrictEqual(members.map(({ user_id }) => user_id), [owner.user_id, user_id])
      assert.strictEqual(members[0]!.email_proof, "operator")
      const after = { after: owner.user_id, limit: 1 }
      assert.deepStrictEqual(yield* people.members(shared.workspace_id, after), members.slice(1))
    }))

  it.effect("keeps one owner if all of them leave concurrently", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { owner, shared } = yield* freshTeam
      const others = []
      for (let count = 0; count < 4; count++) others.push(yield* joined(shared, "owner"))
      const leaving = [owner, ...others].map(({ user_id }, index) =>
        people.setRole(shared.workspace_id, user_id, index % 2 === 0 ? null : "member")
      )
      const outcomes = yield* Effect.all(leaving, { concurrency: "unbounded" })
      assert.strictEqual(outcomes.filter((outcome) => outcome === "last_owner").length, 1)
      assert.strictEqual([...(yield* rolesIn(shared)).values()].filter((role) => role === "owner").length, 1)
    }))

  it.effect("changes and removes the role of a member only", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { owner, shared } = yield* freshTeam
      const stranger = yield* freshTeam
      const { user_id } = yield* joined(shared)
      const setRole = (id: UserId, role: Role | null) => people.setRole(shared.workspace_id, id, role)
      assert.strictEqual(yield* setRole(stranger.owner.user_id, "owner"), "absent")
      for (const role of ["member", null] as const) {
        assert.strictEqual(yield* setRole(owner.user_id, role), "last_owner")
      }
      assert.strictEqual(yield* setRole(user_id, "owner"), "changed")
      assert.strictEqual(yield* setRole(owner.user_id, null), "changed")
      assert.deepStrictEqual(yield* rolesIn(shared), new Map([[user_id, "owner"]]))
      // A user with another workspace remains; one without is deleted.
      assert.strictEqual((yield* people.findByEmail(null, owner.email!, 9)).length, 1)
      const { email, user_id: leaving } = yield* joined(shared)
      assert.strictEqual(yield* setRole(leaving, null), "changed")
      assert.deepStrictEqual(yield* people.findByEmail(null, email!, 9), [])
    }))

  it.effect("lists an open invitation, and revokes it in its workspace", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { personal, shared } = yield* freshTeam
      const [one, two] = [newInvitation({ role: "owner" }), newInvitation({ expires_at: moment(5) })]
      assert.strictEqual(yield* people.invite(shared.workspace_id, one, 9), "invited")
      assert.strictEqual(yield* people.invite(shared.workspace_id, two, 9), "invited")
      assert.deepStrictEqual(yield* people.invitations(shared.workspace_id, moment(4)), [two, one])
      assert.deepStrictEqual(yield* people.invitations(shared.workspace_id, moment(5)), [one])
      const link = newHash()
      yield* people.addLink(link, { invitation_id: one.invitation_id }, moment(1_000))
      assert.isTrue(Option.isNone(yield* people.revokeInvitation(personal.workspace_id, one.invitation_id)))
      assert.isTrue(Option.isSome(yield* people.linked(link, moment())))
      const nobody = InvitationId.make(newUuid())
      assert.isTrue(Option.isNone(yield* people.revokeInvitation(shared.workspace_id, nobody)))
      assert.deepStrictEqual(
        yield* people.revokeInvitation(shared.workspace_id, one.invitation_id),
        Option.some(one)
      )
      assert.deepStrictEqual(yield* people.invitations(shared.workspace_id, moment(5)), [])
    }))

  it.effect("replaces an earlier invitation of the same e-mail, and enforces a maximum", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { shared } = yield* freshTeam
      const outcomes = yield* fiftyTimes(() => people.invite(shared.workspace_id, newInvitation(), 3))
      assert.strictEqual(outcomes.filter((outcome) => outcome === "invited").length, 3)
      const [present] = yield* people.invitations(shared.workspace_id, moment())
      const link = newHash()
      yield* people.addLink(link, { invitation_id: present!.invitation_id }, moment(1_000))
      const again = newInvitation({ email: present!.email, role: "owner" })
      assert.strictEqual(yield* people.invite(shared.workspace_id, again, 3), "invited")
      assert.isTrue(Option.isNone(yield* (yield* SessionStore).holder(link)))
      const open = yield* people.invitations(shared.workspace_id, moment())
      assert.strictEqual(open.length, 3)
      assert.deepStrictEqual(open[0], again)
    }))

  it.effect("does not count expired invitations as open", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { workspace_id } = (yield* freshTeam).shared
      const inviteAt = (second: number) => people.invite(workspace_id, newInvitation({ created_at: moment(second) }), 1)
      assert.strictEqual(yield* people.invite(workspace_id, newInvitation({ expires_at: moment(5) }), 1), "invited")
      assert.strictEqual(yield* inviteAt(4), "full")
      assert.strictEqual(yield* inviteAt(5), "invited")
    }))

  it.effect("adds a user of the account with the proven e-mail at once, and nobody else", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, shared } = yield* freshTeam
      const stranger = yield* freshTeam
      const next = newWorkspace(account, { kind: "shared" })
      yield* (yield* WorkspaceStore).createShared(next, null, null)
      const user = yield* joined(shared)
      const { email, user_id } = user
      const invitation = () => newInvitation({ email: email! })
      // The owner may have opened the link, so the user may be somebody else.
      assert.strictEqual(yield* people.invite(next.workspace_id, invitation(), 9), "invited")
      assert.strictEqual(yield* people.invite(shared.workspace_id, invitation(), 9), "invited")
      assert.isFalse((yield* rolesIn(next)).has(user_id))
      yield* proven(user)
      assert.strictEqual(yield* people.invite(shared.workspace_id, invitation(), 9), "present")
      assert.strictEqual(yield* people.invite(next.workspace_id, invitation(), 9), "joined")
      assert.strictEqual((yield* rolesIn(next)).get(user_id), "member")
      assert.strictEqual(yield* people.invite(next.workspace_id, invitation(), 9), "present")
      assert.strictEqual(yield* people.invite(stranger.shared.workspace_id, invitation(), 9), "invited")
    }))

  it.effect("deletes expired invitations, and those of a closed workspace", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { shared } = yield* freshTeam
      const [old, kept] = [newInvitation({ expires_at: new Date(9) }), newInvitation()]
      for (const invitation of [old, kept]) yield* people.invite(shared.workspace_id, invitation, 9)
      const link = newHash()
      yield* people.addLink(link, { invitation_id: old.invitation_id }, moment())
      yield* people.prune(new Date(9))
      assert.isTrue(Option.isNone(yield* (yield* SessionStore).holder(link)))
      assert.deepStrictEqual(yield* people.invitations(shared.workspace_id, new Date(0)), [kept])
      yield* (yield* WorkspaceStore).close(shared.workspace_id, newJob(shared.workspace_id, newQueue()))
      assert.deepStrictEqual(yield* people.invitations(shared.workspace_id, new Date(0)), [])
      assert.deepStrictEqual(yield* people.members(shared.workspace_id, everything), [])
    }))

  it.effect("restores an account's owner, or sets another one, who is alone in the personal workspace", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, owner, personal, shared } = yield* freshTeam
      const coOwner = yield* joined(shared, "owner")
      yield* people.setRole(shared.workspace_id, owner.user_id, "member")
      assert.deepStrictEqual(yield* people.setOwner(owner, moment()), Option.some(owner))
      assert.strictEqual((yield* rolesIn(shared)).get(owner.user_id), "owner")
      yield* people.setRole(shared.workspace_id, owner.user_id, null)
      yield* people.setOwner(owner, moment())
      const both = [[owner.user_id, "owner"], [coOwner.user_id, "owner"]] as const
      assert.deepStrictEqual(yield* rolesIn(shared), new Map(both))

      const next = newUser(account.account_id)
      assert.deepStrictEqual(yield* people.setOwner(next, moment()), Option.some(next))
      assert.deepStrictEqual(yield* people.find(next.user_id), Option.some(next))
      assert.deepStrictEqual(yield* rolesIn(personal), new Map([[next.user_id, "owner"]]))
      assert.deepStrictEqual(yield* rolesIn(shared), new Map([...both, [next.user_id, "owner"]]))
      assert.isTrue(Option.isNone(yield* people.personal(owner.user_id)))
      // A user without another workspace is deleted.
      yield* people.setRole(shared.workspace_id, next.user_id, null)
      yield* people.setOwner(coOwner, moment())
      assert.isTrue(Option.isNone(yield* people.find(next.user_id)))
      assert.isTrue(Option.isNone(yield* people.setOwner(newUser(newAccount().account_id), moment())))
    }))

  it.effect("makes the user the owner who has proven the e-mail, where two with it are made the owner at once", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, personal } = yield* freshTeam
      const email = newEmail()
      const owners = yield* fiftyTimes(() => people.setOwner(newUser(account.account_id, { email }), moment()))
      const [only, ...others] = yield* people.findByEmail(account.account_id, email, 9)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(owners, owners.map(() => Option.some(only!)))
      assert.deepStrictEqual(yield* rolesIn(personal), new Map([[only!.user_id, "owner"]]))
    }))

  it.effect("deletes the users of a deleted account", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, owner, shared } = yield* freshTeam
      const member = yield* joined(shared)
      yield* (yield* WorkspaceStore).removeAccount(account.account_id)
      for (const { email } of [owner, member]) assert.deepStrictEqual(yield* people.findByEmail(null, email!, 9), [])
      assert.deepStrictEqual(yield* people.memberships(owner.user_id, everything), [])
    }))
}
