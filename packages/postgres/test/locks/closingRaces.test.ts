/** Requests that meet the closing of a workspace halfway: both end, in the order in which they came. */
import { assert, it } from "@effect/vitest"
import type { AuditDraft } from "@tributary/core/model/AuditEntry"
import { AuditEntryId, UserId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Fiber, Option } from "effect"
import {
  freshTeam,
  newAccount,
  newHash,
  newInvitation,
  newKey,
  newSession,
  newUuid,
  newWorkspace
} from "../../../contract/src/internal/fixtures.ts"
import { describePostgres, newSchema, portsIn } from "../support/database.ts"
import { otherServer } from "../support/otherServer.ts"
import { waitingIn } from "../support/isWaiting.ts"
import { newJob, NOW } from "../support/source.ts"

const schema = newSchema()

describePostgres("the closing of a workspace", () => {
  const other = otherServer()

  /** Both wait, the first one before the second, while another server holds a row on the way of at least one. */
  const meeting = Effect.fnUntraced(function*<A, B, E, F, R, S>(
    lock: readonly [row: string, ...ids: ReadonlyArray<string>],
    first: Effect.Effect<A, E, R>,
    second: Effect.Effect<B, F, S>
  ) {
    const run = yield* other
    const waits = (count: number) => Effect.repeat(waitingIn(schema), { until: (waiting) => waiting >= count })
    yield* run("BEGIN")
    yield* run(`SELECT FROM ${schema}.${lock[0]} FOR UPDATE`, ...lock.slice(1))
    const one = yield* Effect.forkChild(first)
    yield* waits(1)
    const two = yield* Effect.forkChild(second)
    yield* waits(2)
    yield* run("COMMIT")
    return [yield* Fiber.join(one), yield* Fiber.join(two)] as const
  }, Effect.scoped)

  const close = (workspaceId: Parameters<typeof newJob>[0]) =>
    Effect.flatMap(WorkspaceStore, (store) => store.close(workspaceId, newJob(workspaceId, { queue: "erase" })))

  /** Adds a member by an invitation; without a user, a new one with this id. */
  const addMember = Effect.fnUntraced(function*(
    workspaceId: Parameters<typeof newJob>[0],
    userId: UserId,
    email: string | null
  ) {
    const people = yield* PeopleStore
    const [invitation, link] = [newInvitation(email === null ? {} : { email }), newHash()]
    yield* people.invite(workspaceId, invitation, 9)
    yield* people.addLink(link, { invitation_id: invitation.invitation_id }, invitation.expires_at)
    if (email === null) return yield* Effect.asVoid(people.join(userId, { link }, NOW))
    yield* (yield* SessionStore).signIn(link, newSession(), newHash(), { newUserId: userId, maximum: 9 })
  })

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("lets a member decline another invitation to it", () =>
      Effect.gen(function*() {
        const people = yield* PeopleStore
        const [{ shared: { workspace_id } }, { owner }] = [yield* freshTeam, yield* freshTeam]
        const invitation = newInvitation({ email: owner.email! })
        yield* people.invite(workspace_id, invitation, 9)
        yield* addMember(workspace_id, owner.user_id, null)
        const [declined, closed] = yield* meeting(
          ["users WHERE user_id = $1", owner.user_id],
          people.decline(owner.user_id, invitation.invitation_id),
          close(workspace_id)
        )
        assert.deepStrictEqual([Option.isSome(declined), closed], [true, true])
      }))

    it.effect("lets the account of some of its members be deleted", () =>
      Effect.gen(function*() {
        const workspaces = yield* WorkspaceStore
        const [{ account, shared }, { shared: { workspace_id } }] = [yield* freshTeam, yield* freshTeam]
        const members = [1, 2, 3].map(() => UserId.make(newUuid()))
        for (const id of members) yield* addMember(shared.workspace_id, id, `${id}@example.com`)
        // The other way round, so that the middle one is met from both sides.
        for (const id of members.toReversed()) yield* addMember(workspace_id, id, null)
        const [removed, closed] = yield* meeting(
          ["members WHERE workspace_id = $1 AND user_id = $2", workspace_id, members[1]!],
          workspaces.removeAccount(account.account_id),
          close(workspace_id)
        )
        assert.deepStrictEqual([removed, closed], [true, true])
        assert.isTrue(Option.isNone(yield* (yield* PeopleStore).find(members[0]!)))
      }))

    it.effect("lets a recorded change in an account that is deleted end first", () =>
      Effect.gen(function*() {
        const [audit, sessions, workspaces] = [yield* AuditStore, yield* SessionStore, yield* WorkspaceStore]
        const { account: { account_id }, owner: { user_id } } = yield* freshTeam
        const link = newHash()
        yield* (yield* PeopleStore).addLink(link, { user_id }, new Date(NOW.getTime() + 60_000))
        yield* sessions.signIn(link, newSession(), newHash(), { newUserId: UserId.make(newUuid()), maximum: 9 })
        const entry: AuditDraft = {
          entry_id: AuditEntryId.make(newUuid()),
          account_id,
          workspace_id: null,
          action: "sessions.ended",
          actor: OPERATOR,
          subject: user_id,
          details: {},
          address: null,
          created_at: NOW
        }
        const [ended, removed] = yield* meeting(
          ["sessions WHERE user_id = $1", user_id],
          audit.record(sessions.end(user_id, null), [entry]),
          workspaces.removeAccount(account_id)
        )
        assert.deepStrictEqual([ended, removed], [1, true])
      }))

    it.effect("lets the requests of its keys be counted", () =>
      Effect.gen(function*() {
        const [keys, workspaces, account] = [yield* ApiKeyStore, yield* WorkspaceStore, newAccount()]
        const { workspace_id } = newWorkspace(account)
        yield* workspaces.createAccount(account, { ...newWorkspace(account), workspace_id })
        const [one, two, three] = [newKey(), newKey(), newKey()]
        for (const key of [three, two, one]) yield* keys.insert(workspace_id, key, newHash())
        const counts = [one, two, three].map(({ key_id }) => ({ key_id, day: "2026-03-01", requests: 1 }))
        const [, closed] = yield* meeting(
          ["api_keys WHERE key_id = $1", two.key_id],
          keys.countRequests(counts),
          close(workspace_id)
        )
        assert.isTrue(closed)
      }))
  })
})
