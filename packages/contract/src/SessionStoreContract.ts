/** The contract of `SessionStore`. */
import { assert } from "@effect/vitest"
import { DAY } from "@tributary/core/model/Day"
import type { User } from "@tributary/core/model/Person"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import {
  fiftyTimes,
  freshTeam,
  moment,
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
import { at, linkFor, newUserId, open, seen, signedIn } from "./internal/signingIn.ts"

export const sessionStoreContract = (it: PeopleKit): void => {
  it.effect.prop(
    "returns a session as it was opened",
    [anyText, anyText],
    ([user_agent, address]) =>
      Effect.gen(function*() {
        const { owner } = yield* freshTeam
        const { hash, session, user } = yield* signedIn(owner.user_id, newSession({ user_agent, address }))
        assert.deepStrictEqual(user, Option.some(owner))
        assert.deepStrictEqual(yield* (yield* SessionStore).list(owner.user_id, at(0)), [session])
        assert.deepStrictEqual(yield* seen(hash), { session, user: owner, membership: null })
      }),
    RUNS
  )

  it.effect("opens one session with a link that is used fifty times concurrently, and none with an expired or unknown one", () =>
    Effect.gen(function*() {
      const { owner } = yield* freshTeam
      const link = yield* linkFor({ user_id: owner.user_id })
      const opened = yield* fiftyTimes(() => open(link))
      assert.strictEqual(opened.filter(({ user }) => Option.isSome(user)).length, 1)
      assert.strictEqual((yield* (yield* SessionStore).list(owner.user_id, at(0))).length, 1)
      const late = newSession({ created_at: moment(1_000) })
      assert.isTrue(Option.isNone((yield* signedIn(owner.user_id, late)).user))
      assert.isTrue(Option.isNone((yield* open(newHash())).user))
    }))

  it.effect("returns the user of a used or expired link, and nobody for an unknown one", () =>
    Effect.gen(function*() {
      const { account: { account_id }, owner: { user_id }, shared } = yield* freshTeam
      const { holder } = yield* SessionStore
      const link = yield* linkFor({ user_id })
      const whose = Option.some({ account_id, workspace_id: null, subject: user_id })
      assert.deepStrictEqual(yield* holder(link), whose)
      yield* open(link)
      assert.deepStrictEqual(yield* holder(link), whose)
      assert.isTrue(Option.isNone((yield* open(link)).user))
      assert.isTrue(Option.isNone(yield* holder(newHash())))
      const invitation = newInvitation()
      yield* (yield* PeopleStore).invite(shared.workspace_id, invitation, 9)
      const invited = yield* linkFor({ invitation_id: invitation.invitation_id })
      assert.deepStrictEqual(
        yield* holder(invited),
        Option.some({ account_id, workspace_id: shared.workspace_id, subject: invitation.invitation_id })
      )
    }))

  it.effect("keeps one link per person: a new one replaces the previous one", () =>
    Effect.gen(function*() {
      const { owner: { user_id } } = yield* freshTeam
      const [before, after] = [yield* linkFor({ user_id }), yield* linkFor({ user_id })]
      assert.isTrue(Option.isNone((yield* open(before)).user))
      assert.isTrue(Option.isSome((yield* open(after)).user))
      const nobody = yield* linkFor({ user_id: newUserId() })
      assert.isTrue(Option.isNone((yield* open(nobody)).user))
    }))

  it.effect("creates a user for an accepted invitation, with its role, once", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, shared } = yield* freshTeam
      const invitation = newInvitation()
      yield* people.invite(shared.workspace_id, invitation, 9)
      const opened = yield* open(yield* linkFor({ invitation_id: invitation.invitation_id }))
      const user = Option.getOrThrow(opened.user)
      assert.deepInclude(user, {
        user_id: opened.newUserId,
        account_id: account.account_id,
        email: invitation.email,
        created_at: opened.session.created_at
      })
      const { membership } = (yield* seen(opened.hash, shared.workspace_id))!
      assert.deepStrictEqual(membership, { workspace: shared, role: "member" })
      assert.deepStrictEqual(yield* people.invitations(shared.workspace_id, moment()), [])
      assert.isTrue(Option.isNone((yield* open(yield* linkFor({ invitation_id: invitation.invitation_id }))).user))
    }))

  it.effect("refuses a revoked or expired invitation", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { shared } = yield* freshTeam
      const revoked = newInvitation()
      yield* people.invite(shared.workspace_id, revoked, 9)
      const link = yield* linkFor({ invitation_id: revoked.invitation_id })
      yield* people.revokeInvitation(shared.workspace_id, revoked.invitation_id)
      assert.isTrue(Option.isNone((yield* open(link)).user))

      const expired = newInvitation({ expires_at: moment(5) })
      yield* people.invite(shared.workspace_id, expired, 9)
      const late = yield* linkFor({ invitation_id: expired.invitation_id })
      assert.isTrue(Option.isNone((yield* open(late, newSession({ created_at: moment(5) }))).user))
    }))

  it.effect("creates a separate user for each invitation, even if another has proven the e-mail, and proves nothing", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { account, owner, shared } = yield* freshTeam
      const next = newWorkspace(account, { kind: "shared" })
      yield* (yield* WorkspaceStore).createShared(next, null, null)
      const email = newInvitation().email
      const [one, two] = [newInvitation({ email }), newInvitation({ email })]
      yield* people.invite(shared.workspace_id, one, 9)
      yield* people.invite(next.workspace_id, two, 9)
      const [oneLink, twoLink] = [
        yield* linkFor({ invitation_id: one.invitation_id }),
        yield* linkFor({ invitation_id: two.invitation_id })
      ]
      const impostor = Option.getOrThrow((yield* open(oneLink)).user)
      // While the link was on its way, the e-mail became the owner's.
      yield* people.update(owner.user_id, { email })
      const invited = Option.getOrThrow((yield* open(twoLink)).user)
      assert.notStrictEqual(invited.user_id, impostor.user_id)
      for (const user of [impostor, invited]) assert.deepInclude(user, { email, email_proof: "none" })
      const parts = (user: User) =>
        Effect.map(
          people.memberships(user.user_id, { after: null, limit: 9 }),
          (all) => all.map(({ workspace }) => workspace.workspace_id)
        )
      assert.deepStrictEqual(yield* parts(impostor), [shared.workspace_id])
      assert.deepStrictEqual(yield* parts(invited), [next.workspace_id])
    }))

  it.effect("ends an idle session, and every session at its maximum age", () =>
    Effect.gen(function*() {
      const { owner } = yield* freshTeam
      const { hash } = yield* signedIn(owner.user_id)
      assert.isNotNull(yield* seen(hash, null, at(999, 1_000)))
      assert.isNull(yield* seen(hash, null, at(1_000, 1_000)))
      // A refused use does not count.
      for (const _ of [1, 2]) assert.isNull(yield* seen(hash, null, at(120_000, 120_000)))
      assert.isNotNull(yield* seen(hash, null, at(999_999)))
      assert.isNull(yield* seen(hash, null, at(1_000_000, 2_000_000)))
    }))

  it.effect("updates the last use if it is older than a minute, or later than the time may be", () =>
    Effect.gen(function*() {
      const { owner } = yield* freshTeam
      const { hash } = yield* signedIn(owner.user_id)
      const last = (millis: number) => Effect.map(seen(hash, null, at(millis)), (found) => found?.session.last_seen_at)
      assert.deepStrictEqual(yield* last(60_000), moment())
      assert.deepStrictEqual(yield* last(60_001), moment(60_001))
      assert.deepStrictEqual(yield* last(-5), moment(60_001))
      assert.isNotNull(yield* seen(hash, null, at(61_000, 1_000)))
      // The clock was set back: the session is idle from its last use on, as it is then.
      assert.deepStrictEqual(yield* last(-DAY), moment(-DAY))
      assert.isNull(yield* seen(hash, null, at(2_000_000 - DAY)))
    }))

  it.effect("returns the role in the given workspace only", () =>
    Effect.gen(function*() {
      const { owner, personal, shared } = yield* freshTeam
      const stranger = yield* freshTeam
      const { hash } = yield* signedIn(owner.user_id)
      yield* (yield* WorkspaceStore).update(shared.workspace_id, { suspended: true, limits: { documents: 3 } })
      const workspace = Option.getOrThrow(yield* (yield* WorkspaceStore).find(shared.workspace_id))
      assert.deepStrictEqual((yield* seen(hash, shared.workspace_id))?.membership, { workspace, role: "owner" })
      assert.deepStrictEqual((yield* seen(hash, personal.workspace_id))?.membership, {
        workspace: personal,
        role: "owner"
      })
      assert.isNull((yield* seen(hash, stranger.shared.workspace_id))!.membership)
    }))

  it.effect("ends one session of the user, or all, but no other user's", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const [{ owner }, stranger] = [yield* freshTeam, yield* freshTeam]
      const [one, two, three] = [
        yield* signedIn(owner.user_id),
        yield* signedIn(owner.user_id),
        yield* signedIn(owner.user_id)
      ]
      const theirs = yield* signedIn(stranger.owner.user_id)
      assert.strictEqual(yield* store.end(owner.user_id, theirs.session.session_id), 0)
      assert.strictEqual(yield* store.end(owner.user_id, two.session.session_id), 1)
      assert.deepStrictEqual(yield* store.list(owner.user_id, at(0)), [three.session, one.session])
      assert.isNull(yield* seen(two.hash))
      assert.strictEqual(yield* store.end(owner.user_id, null), 2)
      assert.isNull(yield* seen(one.hash))
      assert.isNotNull(yield* seen(theirs.hash))
    }))

  it.effect("ends the oldest sessions of a user beyond the maximum", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const { owner: { user_id } } = yield* freshTeam
      const opened = []
      for (let count = 0; count < 3; count++) {
        opened.push((yield* open(yield* linkFor({ user_id }), newSession(), 2)).session)
      }
      assert.deepStrictEqual(yield* store.list(user_id, at(0)), [opened[2], opened[1]])
    }))

  it.effect("ends the sessions and links of a user who loses the last workspace", () =>
    Effect.gen(function*() {
      const people = yield* PeopleStore
      const { shared } = yield* freshTeam
      const invitation = newInvitation()
      yield* people.invite(shared.workspace_id, invitation, 9)
      const { hash, newUserId } = yield* open(yield* linkFor({ invitation_id: invitation.invitation_id }))
      const link = yield* linkFor({ user_id: newUserId })
      const queue = newQueue()
      yield* (yield* WorkspaceStore).close(shared.workspace_id, newJob(shared.workspace_id, queue))
      assert.isNull(yield* seen(hash))
      assert.isTrue(Option.isNone((yield* open(link)).user))
      assert.deepStrictEqual(yield* people.findByEmail(null, invitation.email, 9), [])
    }))

  it.effect("keeps no session, link or identity of a deleted user, even if the user returns", () =>
    Effect.gen(function*() {
      const [people, store] = [yield* PeopleStore, yield* SessionStore]
      const { account, owner, shared } = yield* freshTeam
      const identity = { issuer: "https://id.example", subject: newUuid(), email: owner.email, name: null }
      const options = { newUserId: newUserId(), maximum: 9, account: null }
      yield* store.signInAs(identity, newSession(), newHash(), options)
      const { hash } = yield* signedIn(owner.user_id)
      const link = yield* linkFor({ user_id: owner.user_id })
      yield* people.setOwner(newUser(account.account_id), moment())
      yield* people.setRole(shared.workspace_id, owner.user_id, null)
      assert.isTrue(Option.isNone(yield* people.find(owner.user_id)))
      yield* people.setOwner(owner, moment())
      assert.deepStrictEqual(yield* people.find(owner.user_id), Option.some(owner))
      assert.isNull(yield* seen(hash))
      assert.isTrue(Option.isNone((yield* open(link)).user))
      assert.isTrue(Option.isNone(yield* people.findByIdentity(identity)))
    }))

  it.effect("deletes expired sessions and links", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore
      const [expired, open] = [yield* freshTeam, yield* freshTeam]
      const link = yield* linkFor({ user_id: expired.owner.user_id }, new Date(9))
      const later = yield* linkFor({ user_id: open.owner.user_id })
      yield* (yield* PeopleStore).prune(new Date(9))
      assert.isTrue(Option.isNone(yield* store.holder(link)))
      assert.isTrue(Option.isSome(yield* store.holder(later)))
      const { owner } = yield* freshTeam
      const past = newSession({ last_seen_at: new Date(1), created_at: new Date(1), expires_at: new Date(900) })
      const { session } = yield* signedIn(owner.user_id)
      yield* signedIn(owner.user_id, past)
      yield* store.prune({ now: new Date(900), seenAfter: new Date(0) })
      assert.deepStrictEqual(yield* store.list(owner.user_id, { now: new Date(2), seenAfter: new Date(0) }), [session])
    }))
}
