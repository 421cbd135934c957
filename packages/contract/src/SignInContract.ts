/** The contract of `SessionStore` for what a sign-in proves: by a link of the operator, or by an identity. */
import { assert } from "@effect/vitest"
import type { Session } from "@tributary/core/model/Session"
import type { Identity } from "@tributary/core/ports/IdentityProvider"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { type OwnedAccount, WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import {
  fiftyTimes,
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
import { linkFor, newUserId, open, seen, signedIn } from "./internal/signingIn.ts"

export const signInContract = (it: PeopleKit): void => {
  it.effect("proves an e-mail by a link of the operator, and ends previous sessions", () =>
    Effect.gen(function*() {
      const { shared } = yield* freshTeam
      const invitation = newInvitation()
      yield* (yield* PeopleStore).invite(shared.workspace_id, invitation, 9)
      const first = yield* open(yield* linkFor({ invitation_id: invitation.invitation_id }))
      const { user_id } = Option.getOrThrow(first.user)
      const linked = yield* signedIn(user_id)
      assert.strictEqual(Option.getOrThrow(linked.user).email_proof, "operator")
      assert.isNull(yield* seen(first.hash))
      // For a proven e-mail, another link only adds a session.
      yield* signedIn(user_id)
      assert.isNotNull(yield* seen(linked.hash))
    }))

  it.effect("proves an e-mail for one user of an account only", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, shared } = yield* freshTeam
      const next = newWorkspace(account, { kind: "shared" })
      yield* (yield* WorkspaceStore).createShared(next, null, null)
      const { email } = newInvitation()
      const invited = Effect.fnUntraced(function*({ workspace_id }: typeof next) {
        const invitation = newInvitation({ email })
        yield* people.invite(workspace_id, invitation, 9)
        return yield* open(yield* linkFor({ invitation_id: invitation.invitation_id }))
      })
      const [first, second] = [yield* invited(shared), yield* invited(next)]
      yield* signedIn(Option.getOrThrow(first.user).user_id)
      const late = yield* signedIn(Option.getOrThrow(second.user).user_id)
      assert.strictEqual(Option.getOrThrow(late.user).email_proof, "none")
      assert.isNotNull(yield* seen(second.hash))
    }))

  it.effect("proves nothing for a user without an e-mail", () =>
    Effect.gen(function*() {
      const account = newAccount()
      yield* (yield* WorkspaceStore).createAccount(account, newWorkspace(account))
      const owner = newUser(account.account_id, { email: null, email_proof: "none" })
      yield* (yield* PeopleStore).owner(owner)
      const { hash, user } = yield* signedIn(owner.user_id)
      assert.deepStrictEqual(user, Option.some(owner))
      yield* signedIn(owner.user_id)
      assert.isNotNull(yield* seen(hash))
    }))

  it.effect("links identities to the users of their e-mail one after the other, the oldest first", () =>
    Effect.gen(function*() {
      const [people, store, workspaces] = [yield* PeopleStore, yield* SessionStore, yield* WorkspaceStore]
      const email = newEmail()
      const owners = [1, 2].map(() => newUser(newAccount().account_id, { email }))
      for (const owner of owners.toReversed()) {
        const account = { ...newAccount(), account_id: owner.account_id! }
        yield* workspaces.createAccount(account, newWorkspace(account))
        yield* people.owner(owner)
      }
      const linked = Effect.suspend(() => {
        const identity = { issuer: "https://id.example", subject: newUuid(), email, name: null }
        return store.signInAs(identity, newSession(), newHash(), { newUserId: newUserId(), maximum: 9, account: null })
      })
      for (const { user_id } of owners) assert.strictEqual(Option.getOrThrow(yield* linked).user_id, user_id)
      assert.isTrue(Option.isNone(yield* linked))
    }))

  it.effect("links an identity to the user of its e-mail at first, and keeps the link", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const { owner } = yield* freshTeam
      const stranger = yield* freshTeam
      const { hash: earlier } = yield* signedIn(owner.user_id)
      const identity = { issuer: "https://id.example", subject: newUuid(), email: owner.email, name: null }
      // More than this opens, so that none ends for another one.
      const maximum = 100
      const signInAs = (who: Identity) =>
        store.signInAs(who, newSession(), newHash(), { newUserId: newUserId(), maximum, account: null })
      const known = Option.some({ ...owner, email_proof: "openid" as const })
      assert.isTrue(Option.isNone(yield* signInAs({ ...identity, email: null })))
      const all = yield* fiftyTimes(() => signInAs(identity))
      for (const user of all) assert.deepStrictEqual(user, known)
      // The person who signed in by a link before may have been somebody else.
      assert.isNull(yield* seen(earlier))
      const renamed = { ...identity, email: stranger.owner.email }
      assert.deepStrictEqual(yield* signInAs(renamed), known)
      const { findByIdentity } = yield* PeopleStore
      assert.deepStrictEqual(yield* findByIdentity(identity), known)
      for (const other of [{ subject: newUuid() }, { issuer: "https://other.example" }]) {
        assert.isTrue(Option.isNone(yield* signInAs({ ...identity, ...other })))
        assert.isTrue(Option.isNone(yield* findByIdentity({ ...identity, ...other })))
      }
    }))

  it.effect("links no identity to a user with an unproven e-mail", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const { shared } = yield* freshTeam
      const invitation = newInvitation()
      yield* (yield* PeopleStore).invite(shared.workspace_id, invitation, 9)
      const impostor = yield* open(yield* linkFor({ invitation_id: invitation.invitation_id }))
      const identity = { issuer: "https://id.example", subject: newUuid(), email: invitation.email, name: null }
      const options = { newUserId: newUserId(), maximum: 9, account: null }
      assert.isTrue(Option.isNone(yield* store.signInAs(identity, newSession(), newHash(), options)))
      assert.isNotNull(yield* seen(impostor.hash))
    }))

  it.effect("creates a guest for an identity with an invited e-mail, without an account until accepting", () =>
    Effect.gen(function*() {
      const [people, store] = [yield* PeopleStore, yield* SessionStore]
      const { account, shared } = yield* freshTeam
      const invitation = newInvitation({ role: "owner" })
      yield* people.invite(shared.workspace_id, invitation, 9)
      const { email } = invitation
      const identity = { issuer: "https://id.example", subject: newUuid(), email, name: null }
      const signInAs = (session: Session) =>
        store.signInAs(identity, session, newHash(), { newUserId: newUserId(), maximum: 9, account: null })
      const late = newSession({ created_at: invitation.expires_at })
      assert.isTrue(Option.isNone(yield* signInAs(late)))
      const users = yield* fiftyTimes(() => signInAs(newSession()))
      assert.strictEqual(new Set(users.map((user) => Option.getOrThrow(user).user_id)).size, 1)
      const user = Option.getOrThrow(users[0]!)
      assert.deepInclude(user, { account_id: null, email, email_proof: "openid" })
      assert.deepStrictEqual(yield* people.memberships(user.user_id, { after: null, limit: 9 }), [])
      const { invitation_id } = invitation
      yield* people.join(user.user_id, { invitation_id }, moment())
      assert.deepStrictEqual(
        yield* people.find(user.user_id),
        Option.some({ ...user, account_id: account.account_id })
      )
      assert.strictEqual(Option.getOrThrow(yield* people.membership(user.user_id, shared.workspace_id)).role, "owner")
      yield* people.setRole(shared.workspace_id, user.user_id, null)
      assert.isTrue(Option.isNone(yield* signInAs(newSession())))
      yield* people.invite(shared.workspace_id, newInvitation({ email }), 9)
      assert.notStrictEqual(Option.getOrThrow(yield* signInAs(newSession())).user_id, user.user_id)
    }))

  it.effect("creates one account for a person who signs up fifty times at once, even if invited", () =>
    Effect.gen(function*() {
      const [people, store, workspaces] = [yield* PeopleStore, yield* SessionStore, yield* WorkspaceStore]
      const invitation = newInvitation()
      yield* people.invite((yield* freshTeam).shared.workspace_id, invitation, 9)
      const { email } = invitation
      const accounts: Array<OwnedAccount> = []
      const signUp = Effect.fnUntraced(function*(identity: Identity) {
        const account = newAccount()
        const owner = newUser(account.account_id, { email })
        const owned = { account, personal: newWorkspace(account), owner }
        accounts.push(owned)
        return yield* store.signInAs(identity, newSession(), newHash(), {
          newUserId: owner.user_id,
          maximum: 99,
          account: owned
        })
      })
      const identity = { issuer: "https://id.example", subject: newUuid(), email, name: "Ada" }
      assert.isTrue(Option.isNone(yield* signUp({ ...identity, email: null })))
      const users = (yield* fiftyTimes(() => signUp(identity))).map(Option.getOrThrow)
      const stored = yield* Effect.filter(
        accounts,
        ({ account: { account_id } }) => Effect.map(workspaces.findAccount(account_id), Option.isSome)
      )
      assert.lengthOf(stored, 1)
      const [{ account, owner, personal }] = stored as [OwnedAccount]
      assert.deepStrictEqual(yield* workspaces.findAccount(account.account_id), Option.some(account))
      for (const user of users) assert.deepStrictEqual(user, { ...owner, email_proof: "openid" })
      assert.deepStrictEqual(yield* people.personal(owner.user_id), Option.some(personal))
      // Who has a user already gets no account.
      assert.deepStrictEqual(yield* signUp(identity), Option.some(users[0]!))
    }))
}
