/** What is added to something that another server is deleting at the moment does not outlive it. */
import { assert, it } from "@effect/vitest"
import { ConnectorId, UserId, type WorkspaceId } from "@tributary/core/model/Id"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { emptyWindow, RateWindows } from "@tributary/core/ports/RateWindows"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Fiber, Option } from "effect"
import { newConnection } from "../../contract/src/internal/connections.ts"
import {
  newAccount,
  newHash,
  newInvitation,
  newKey,
  newSession,
  newUser,
  newUuid,
  newWorkspace
} from "../../contract/src/internal/fixtures.ts"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { otherServer } from "./support/otherServer.ts"
import { isWaitingIn } from "./support/isWaiting.ts"
import { admit, item, newJob, newSource, NOW } from "./support/source.ts"
import { rowsOf } from "./support/truth.ts"

/** A statement with its parameters. */
type Call = readonly [statement: string, ...values: ReadonlyArray<string>]

const schema = newSchema()

describePostgres("what is being deleted by another server", () => {
  const other = otherServer()

  const isWaiting = isWaitingIn(schema)

  /** Begins when the other server has made the first call, and makes the second one meet it waiting, or at its end. */
  const between = Effect.fnUntraced(function*<A, E, R>(before: Call, act: Effect.Effect<A, E, R>, after: Call) {
    const run = yield* other
    yield* run("BEGIN")
    yield* run(...before)
    const running = yield* Effect.forkChild(act)
    const isSettled = Effect.map(isWaiting, (waits) => waits || running.pollUnsafe() !== undefined)
    yield* Effect.repeat(isSettled, { until: (settled) => settled })
    yield* run(...after)
    yield* run("COMMIT")
    return yield* Fiber.join(running)
  }, Effect.scoped)

  const during = <A, E, R>(call: Call, act: Effect.Effect<A, E, R>) => between(call, act, ["SELECT"])

  const lockOfWorkspace = (workspaceId: WorkspaceId): Call => [
    `SELECT FROM ${schema}.workspaces WHERE workspace_id = $1 FOR UPDATE`,
    workspaceId
  ]

  const closing = (workspaceId: WorkspaceId): Call => [
    `SELECT ${schema}.close_workspace($1, $2)`,
    workspaceId,
    JSON.stringify(newJob(workspaceId, { queue: "erase" }))
  ]

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    for (const method of ["owner", "setOwner"] as const) {
      it.effect(`gets no member of a workspace by ${method}`, () =>
        Effect.gen(function*() {
          const [people, workspaces] = [yield* PeopleStore, yield* WorkspaceStore]
          const account = newAccount()
          const [personal, shared] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
          yield* workspaces.createAccount(account, personal)
          yield* workspaces.createShared(shared, null, null)
          const { workspace_id } = shared
          const user = newUser(account.account_id)
          yield* during(
            closing(workspace_id),
            method === "owner" ? people.owner(user) : people.setOwner(user, NOW)
          )
          assert.deepInclude(yield* rowsOf(schema, workspace_id), { members: 0 })
          assert.deepStrictEqual(
            Option.map(yield* people.membership(user.user_id, personal.workspace_id), ({ role }) => role),
            Option.some("owner")
          )
        }))
    }

    it.effect("lets nobody in by an invitation to a workspace, and its closing does not fail", () =>
      Effect.gen(function*() {
        const [people, sessions, { workspaceId }] = [yield* PeopleStore, yield* SessionStore, yield* newSource]
        const [invitation, link] = [newInvitation(), newHash()]
        yield* people.invite(workspaceId, invitation, 9)
        yield* people.addLink(link, { invitation_id: invitation.invitation_id }, invitation.expires_at)
        const options = { newUserId: UserId.make(newUuid()), maximum: 9 }
        const signIn = sessions.signIn(link, newSession(), newHash(), options)
        assert.isTrue(Option.isNone(yield* between(lockOfWorkspace(workspaceId), signIn, closing(workspaceId))))
      }))

    it.effect("makes no key of a workspace by a key of it, and its closing does not fail", () =>
      Effect.gen(function*() {
        const [keys, { workspaceId }] = [yield* ApiKeyStore, yield* newSource]
        const maker = newKey()
        yield* keys.insert(workspaceId, maker, newHash())
        const made = newKey({ created_by: { type: "api_key", id: maker.key_id } })
        const insert = keys.insert(workspaceId, made, newHash())
        assert.isFalse(yield* between(lockOfWorkspace(workspaceId), insert, closing(workspaceId)))
      }))

    it.effect("lets nobody in by a link of a user, whose removal does not fail", () =>
      Effect.gen(function*() {
        const [people, sessions, { workspaceId }] = [yield* PeopleStore, yield* SessionStore, yield* newSource]
        const [invitation, link] = [newInvitation(), newHash()]
        const signIn = sessions.signIn(link, newSession(), newHash(), { newUserId: UserId.make(newUuid()), maximum: 9 })
        yield* people.invite(workspaceId, invitation, 9)
        yield* people.addLink(link, { invitation_id: invitation.invitation_id }, invitation.expires_at)
        const { user_id } = Option.getOrThrow(yield* signIn)
        yield* people.addLink(link, { user_id }, invitation.expires_at)
        const lock: Call = [`SELECT FROM ${schema}.users WHERE user_id = $1 FOR UPDATE`, user_id]
        const removal: Call = [`SELECT ${schema}.set_role($1, $2, NULL)`, workspaceId, user_id]
        assert.isTrue(Option.isNone(yield* between(lock, signIn, removal)))
      }))

    it.effect("gets no rate window by a request that was accepted before, which is let through", () =>
      Effect.gen(function*() {
        const [windows, workspaces, { workspaceId }] = [yield* RateWindows, yield* WorkspaceStore, yield* newSource]
        const limit = { limit: 1, window_seconds: 600 }
        yield* windows.take(workspaceId, "search", limit)
        yield* workspaces.close(workspaceId, newJob(workspaceId, { queue: "erase" }))
        yield* workspaces.erase(workspaceId)
        const late = yield* Effect.replicateEffect(windows.take(workspaceId, "ask", limit), 2)
        assert.deepStrictEqual(late, [emptyWindow(limit), emptyWindow(limit)])
        assert.deepInclude(yield* rowsOf(schema, workspaceId), { rate_windows: 0 })
      }))

    it.effect("gets no mark of a document of a connection", () =>
      Effect.gen(function*() {
        const [connections, { workspaceId }] = [yield* ConnectionStore, yield* newSource]
        const connection = newConnection()
        const { connection_id } = connection
        yield* connections.insert(workspaceId, connection, 10)
        yield* admit({ workspaceId, connectorId: ConnectorId.make(connection_id) }, [item("INBOX/1", "a")])
        const ref = { connection_id, resource: "INBOX" }
        yield* during(
          [`SELECT ${schema}.remove_connection($1, $2)`, workspaceId, connection_id],
          connections.noteDeletions(workspaceId, ref, { gone: ["INBOX/1"], there: [] })
        )
        assert.deepInclude(yield* rowsOf(schema, workspaceId), { connections: 0, source_deletions: 0 })
      }))
  })
})
