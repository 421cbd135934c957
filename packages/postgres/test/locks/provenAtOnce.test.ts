/** Two users of one account who prove the same e-mail at the same moment. */
import { assert, it } from "@effect/vitest"
import { type AccountId, UserId, type WorkspaceId } from "@tributary/core/model/Id"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Fiber, Option } from "effect"
import {
  freshTeam,
  newAccount,
  newEmail,
  newHash,
  newInvitation,
  newSession,
  newUser,
  newUuid,
  newWorkspace
} from "../../../contract/src/internal/fixtures.ts"
import { describePostgres, newSchema, portsIn } from "../support/database.ts"
import { otherServer } from "../support/otherServer.ts"
import { isWaitingIn } from "../support/isWaiting.ts"
import { NOW } from "../support/source.ts"

const schema = newSchema()

describePostgres("an e-mail that another server proves for another user at the moment", () => {
  const other = otherServer()

  /** The act has to wait for the other server, which then has proven the e-mail. */
  const whileProving = Effect.fnUntraced(function*<A, E, R>(userId: UserId, act: Effect.Effect<A, E, R>) {
    const run = yield* other
    yield* run("BEGIN")
    yield* run(`UPDATE ${schema}.users SET email_proof = 'operator' WHERE user_id = $1`, userId)
    const running = yield* Effect.forkChild(act)
    yield* Effect.repeat(isWaitingIn(schema), { until: (waits) => waits })
    yield* run("COMMIT")
    return yield* Fiber.join(running)
  }, Effect.scoped)

  const options = () => ({ newUserId: UserId.make(newUuid()), maximum: 9 })

  /** A user who has proven nothing, by the link of an invitation. */
  const newcomer = Effect.fnUntraced(function*(workspaceId: WorkspaceId, email: string) {
    const people = yield* PeopleStore
    const [invitation, link] = [newInvitation({ email }), newHash()]
    yield* people.invite(workspaceId, invitation, 9)
    yield* people.addLink(link, { invitation_id: invitation.invitation_id }, invitation.expires_at)
    const user = yield* (yield* SessionStore).signIn(link, newSession(), newHash(), options())
    return Option.getOrThrow(user).user_id
  })

  const proofsOf = Effect.fnUntraced(function*(accountId: AccountId | null, email: string) {
    const users = yield* (yield* PeopleStore).findByEmail(accountId, email, 9)
    return users.map(({ email_proof, user_id }) => [user_id, email_proof])
  })

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("is not proven by a link of the operator, which signs in", () =>
      Effect.gen(function*() {
        const [people, sessions, email] = [yield* PeopleStore, yield* SessionStore, newEmail()]
        const { account: { account_id }, shared: { workspace_id } } = yield* freshTeam
        const [one, two] = [yield* newcomer(workspace_id, email), yield* newcomer(workspace_id, email)]
        const link = newHash()
        yield* people.addLink(link, { user_id: two }, new Date(NOW.getTime() + 60_000))
        const user = yield* whileProving(one, sessions.signIn(link, newSession(), newHash(), options()))
        assert.deepStrictEqual(Option.map(user, ({ user_id }) => user_id), Option.some(two))
        assert.deepStrictEqual(yield* proofsOf(account_id, email), [[one, "operator"], [two, "none"]])
      }))

    it.effect("lets a guest join, who stays without an account", () =>
      Effect.gen(function*() {
        const [people, sessions, email] = [yield* PeopleStore, yield* SessionStore, newEmail()]
        const { account: { account_id }, shared: { workspace_id } } = yield* freshTeam
        const one = yield* newcomer(workspace_id, email)
        const invitation = newInvitation({ email })
        yield* people.invite(workspace_id, invitation, 9)
        const identity = { issuer: "https://login.example", subject: newUuid(), email, name: null }
        const guest = yield* sessions.signInAs(identity, newSession(), newHash(), { ...options(), account: null })
        const { user_id } = Option.getOrThrow(guest)
        const joined = yield* whileProving(
          one,
          people.join(user_id, { invitation_id: invitation.invitation_id }, NOW)
        )
        assert.isTrue(Option.isSome(joined))
        assert.isNull(Option.getOrThrow(yield* people.find(user_id)).account_id)
        assert.deepStrictEqual(yield* proofsOf(account_id, email), [[one, "operator"]])
      }))

    it.effect("leaves a new owner without an e-mail", () =>
      Effect.gen(function*() {
        const [people, workspaces, email] = [yield* PeopleStore, yield* WorkspaceStore, newEmail()]
        const account = newAccount()
        const shared = newWorkspace(account, { kind: "shared" })
        yield* workspaces.createAccount(account, newWorkspace(account))
        yield* workspaces.createShared(shared, null, null)
        const one = yield* newcomer(shared.workspace_id, email)
        const candidate = newUser(account.account_id, { email })
        const owner = yield* whileProving(one, people.owner(candidate))
        assert.deepStrictEqual(owner, Option.some({ ...candidate, email: null, email_proof: "none" as const }))
      }))

    it.effect("makes the other one the owner, where the operator names its e-mail", () =>
      Effect.gen(function*() {
        const [people, email] = [yield* PeopleStore, newEmail()]
        const { account: { account_id }, shared } = yield* freshTeam
        const one = yield* newcomer(shared.workspace_id, email)
        const owner = yield* whileProving(one, people.setOwner(newUser(account_id, { email }), NOW))
        assert.deepStrictEqual(Option.map(owner, ({ user_id }) => user_id), Option.some(one))
      }))

    it.effect("is not given to an owner without one", () =>
      Effect.gen(function*() {
        const [people, email] = [yield* PeopleStore, newEmail()]
        const { account: { account_id }, shared } = yield* freshTeam
        const one = yield* newcomer(shared.workspace_id, email)
        const owner = newUser(account_id, { email: null, email_proof: "none" })
        yield* people.setOwner(owner, NOW)
        assert.isTrue(Option.isNone(yield* whileProving(one, people.update(owner.user_id, { email }))))
        assert.deepStrictEqual(yield* people.find(owner.user_id), Option.some(owner))
      }))
  })
})
