/** The contract of `PeopleStore` for the recipients of invitations. */
import { assert } from "@effect/vitest"
import { UserId } from "@tributary/core/model/Id"
import type { Invitation, User } from "@tributary/core/model/Person"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { Effect, Option } from "effect"
import {
  freshTeam,
  moment,
  newAccount,
  newEmail,
  newHash,
  newInvitation,
  newSession,
  newUser,
  newUuid,
  newWorkspace
} from "./internal/fixtures.ts"
import type { PeopleKit } from "./internal/Kit.ts"

const invite = Effect.fnUntraced(function*({ workspace_id }: WorkspaceRecord, invitation: Invitation) {
  yield* (yield* PeopleStore).invite(workspace_id, invitation, 9)
  return invitation
})

/** A person with an external identity who is known here only by an invitation. */
const guest = Effect.fnUntraced(function*(email: string) {
  const identity = { issuer: "https://id.example", subject: newUuid(), email, name: "Grace" }
  const options = { newUserId: UserId.make(newUuid()), maximum: 9, account: null }
  return Option.getOrThrow(
    yield* (yield* SessionStore).signInAs(identity, newSession(), newHash(), options)
  )
})

const roleIn = Effect.fnUntraced(function*({ user_id }: User, { workspace_id }: WorkspaceRecord) {
  const membership = yield* (yield* PeopleStore).membership(user_id, workspace_id)
  return Option.match(membership, { onNone: () => null, onSome: ({ role }) => role })
})

export const receivedInvitationsContract = (it: PeopleKit): void => {
  it.effect("lists open invitations of an e-mail in every account, newest first, with their workspace", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const [one, two] = [yield* freshTeam, yield* freshTeam]
      const email = newEmail()
      const first = yield* invite(one.shared, newInvitation({ email, role: "owner", expires_at: moment(9) }))
      const second = yield* invite(two.shared, newInvitation({ email }))
      yield* invite(two.shared, newInvitation())
      const [older, newer] = [
        { invitation: first, workspace: one.shared },
        { invitation: second, workspace: two.shared }
      ]
      assert.deepStrictEqual(yield* people.received(email, moment(8), 9), [newer, older])
      assert.deepStrictEqual(yield* people.received(email, moment(8), 1), [newer])
      assert.deepStrictEqual(yield* people.received(email, moment(9), 9), [newer])
    }))

  it.effect("shows the invitation of a link while both are valid, without using them up", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { owner, shared } = yield* freshTeam
      const invitation = yield* invite(shared, newInvitation({ expires_at: moment(20) }))
      const [link, ofUser] = [newHash(), newHash()]
      yield* people.addLink(link, { invitation_id: invitation.invitation_id }, moment(10))
      yield* people.addLink(ofUser, { user_id: owner.user_id }, moment(10))
      const shown = Option.some({ invitation, workspace: shared })
      assert.deepStrictEqual(yield* people.linked(link, moment()), shown)
      assert.deepStrictEqual(yield* people.linked(link, moment(9)), shown)
      for (const [hash, at] of [[link, 10], [ofUser, 0], [newHash(), 0]] as const) {
        assert.isTrue(Option.isNone(yield* people.linked(hash, moment(at))))
      }
      const longer = newHash()
      yield* people.addLink(longer, { invitation_id: invitation.invitation_id }, moment(30))
      assert.deepStrictEqual(yield* people.linked(longer, moment(19)), shown)
      assert.isTrue(Option.isNone(yield* people.linked(longer, moment(20))))
      const { user_id } = yield* guest(invitation.email)
      assert.isTrue(Option.isNone(yield* people.join(user_id, { link: longer }, moment(20))))
    }))

  it.effect("adds the person who accepts, once, with the invited role", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { shared } = yield* freshTeam
      const { email, invitation_id } = yield* invite(shared, newInvitation({ role: "owner" }))
      const link = newHash()
      yield* people.addLink(link, { invitation_id }, moment(1_000))
      const user = yield* guest(email)
      assert.isNull(yield* roleIn(user, shared))
      assert.isTrue(Option.isNone(yield* people.join(user.user_id, { invitation_id }, moment(1_000_000))))
      const joined = yield* people.join(user.user_id, { invitation_id }, moment())
      assert.deepStrictEqual(joined, Option.some({ workspace: shared, role: "owner" }))
      assert.isTrue(Option.isNone(yield* people.join(user.user_id, { invitation_id }, moment())))
      assert.deepStrictEqual(yield* people.received(email, moment(), 9), [])
      assert.isTrue(Option.isNone(yield* (yield* SessionStore).holder(link)))
    }))

  it.effect("keeps the user of another account there, and an existing role", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const [{ owner }, { shared }] = [yield* freshTeam, yield* freshTeam]
      for (const role of ["member", "owner"] as const) {
        const link = newHash()
        const { invitation_id } = yield* invite(shared, newInvitation({ role }))
        yield* people.addLink(link, { invitation_id }, moment(10))
        assert.isTrue(Option.isNone(yield* people.join(owner.user_id, { link }, moment(10))))
        assert.deepStrictEqual(
          yield* people.join(owner.user_id, { link }, moment()),
          Option.some({ workspace: shared, role: "member" })
        )
        assert.isTrue(Option.isNone(yield* people.linked(link, moment())))
      }
      assert.deepStrictEqual(yield* people.find(owner.user_id), Option.some(owner))
    }))

  it.effect("leaves a guest without the account where another user has proven the e-mail", () =>
    Effect.gen(function*() {
      const [people, workspaces] = [yield* PeopleStore, yield* WorkspaceStore]
      const account = newAccount()
      const home = newWorkspace(account)
      yield* workspaces.createAccount(account, home)
      const owner = newUser(account.account_id, { email: null, email_proof: "none" })
      yield* people.owner(owner)
      const { email, invitation_id } = yield* invite(home, newInvitation())
      const user = yield* guest(email)
      yield* people.update(owner.user_id, { email })
      assert.isTrue(Option.isSome(yield* people.join(user.user_id, { invitation_id }, moment())))
      assert.deepStrictEqual(yield* people.find(user.user_id), Option.some(user))
    }))

  it.effect("accepts and declines by id only for the proven e-mail", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const [{ owner, shared }, other] = [yield* freshTeam, yield* freshTeam]
      const { email, invitation_id } = yield* invite(shared, newInvitation())
      const link = newHash()
      const unproven = yield* invite(other.shared, newInvitation({ email }))
      yield* people.addLink(link, { invitation_id: unproven.invitation_id }, moment(10))
      const options = { newUserId: UserId.make(newUuid()), maximum: 9 }
      const impostor = Option.getOrThrow(yield* (yield* SessionStore).signIn(link, newSession(), newHash(), options))
      for (const { user_id } of [owner, impostor, { user_id: UserId.make(newUuid()) }]) {
        assert.isTrue(Option.isNone(yield* people.join(user_id, { invitation_id }, moment())))
        assert.isTrue(Option.isNone(yield* people.decline(user_id, invitation_id)))
      }
      assert.strictEqual((yield* people.received(email, moment(), 9)).length, 1)
    }))

  it.effect("deletes declined invitations, and a guest without any other, with the identity", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const [one, two] = [yield* freshTeam, yield* freshTeam]
      const email = newEmail()
      const [first, second] = [
        yield* invite(one.shared, newInvitation({ email })),
        yield* invite(two.shared, newInvitation({ email }))
      ]
      const { user_id } = yield* guest(email)
      const link = newHash()
      yield* people.addLink(link, { invitation_id: first.invitation_id }, moment(1_000))
      const declined = yield* people.decline(user_id, first.invitation_id)
      assert.deepStrictEqual(declined, Option.some({ invitation: first, workspace: one.shared }))
      assert.isTrue(Option.isNone(yield* (yield* SessionStore).holder(link)))
      assert.isTrue(Option.isSome(yield* people.find(user_id)))
      yield* people.decline(user_id, second.invitation_id)
      assert.isTrue(Option.isNone(yield* people.find(user_id)))
    }))

  it.effect("deletes only guests without invitations", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { owner, shared } = yield* freshTeam
      const [waiting, revoked] = [yield* invite(shared, newInvitation()), yield* invite(shared, newInvitation())]
      const [stays, goes] = [yield* guest(waiting.email), yield* guest(revoked.email)]
      yield* people.revokeInvitation(shared.workspace_id, revoked.invitation_id)
      yield* people.prune(new Date(9))
      assert.isTrue(Option.isNone(yield* people.find(goes.user_id)))
      for (const { user_id } of [stays, owner]) assert.isTrue(Option.isSome(yield* people.find(user_id)))
    }))
}
