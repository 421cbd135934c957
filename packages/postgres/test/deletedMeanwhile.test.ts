/** What is added to something that another server is deleting at the moment does not outlive it. */
import { assert, it } from "@effect/vitest"
import { ConnectorId } from "@tributary/core/model/Id"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Pool } from "pg"
import { afterAll } from "vitest"
import { newConnection } from "../../contract/src/internal/connections.ts"
import { newAccount, newUser, newWorkspace } from "../../contract/src/internal/fixtures.ts"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { admit, item, newJob, newSource, NOW } from "./support/source.ts"
import { databaseUrl } from "./support/testServer.ts"
import { rowsOf } from "./support/truth.ts"

const schema = newSchema()

describePostgres("what is being deleted by another server", () => {
  const others = new Pool({ connectionString: databaseUrl ?? "" })
  afterAll(() => others.end())

  const isWaiting = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND strpos(query, ${schema}::text) > 0`
    return rows.length > 0
  })

  /** Runs until it waits for the other server's function, or does not wait at all; then that is committed. */
  const during = Effect.fnUntraced(function*<A, E, R>(
    call: string,
    values: ReadonlyArray<string>,
    act: Effect.Effect<A, E, R>
  ) {
    const client = yield* Effect.acquireRelease(
      Effect.promise(() => others.connect()),
      (client) => Effect.sync(() => client.release())
    )
    yield* Effect.promise(() => client.query("BEGIN"))
    yield* Effect.promise(() => client.query(`SELECT ${schema}.${call}`, [...values]))
    const running = yield* Effect.forkChild(act)
    const isSettled = Effect.map(isWaiting, (waits) => waits || running.pollUnsafe() !== undefined)
    yield* Effect.repeat(isSettled, { until: (settled) => settled })
    yield* Effect.promise(() => client.query("COMMIT"))
    return yield* Fiber.join(running)
  }, Effect.scoped)

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    for (const method of ["owner", "setOwner"] as const) {
      it.effect(`gets no member by ${method}, if it is a workspace`, () =>
        Effect.gen(function*() {
          const [people, workspaces] = [yield* PeopleStore, yield* WorkspaceStore]
          const account = newAccount()
          const [personal, shared] = [newWorkspace(account), newWorkspace(account, { kind: "shared" })]
          yield* workspaces.createAccount(account, personal)
          yield* workspaces.createShared(shared, null, null)
          const { workspace_id } = shared
          const user = newUser(account.account_id)
          const erase = JSON.stringify(newJob(workspace_id, { queue: "erase" }))
          yield* during(
            "close_workspace($1, $2)",
            [workspace_id, erase],
            method === "owner" ? people.owner(user) : people.setOwner(user, NOW)
          )
          assert.deepInclude(yield* rowsOf(schema, workspace_id), { members: 0 })
          assert.deepStrictEqual(
            Option.map(yield* people.membership(user.user_id, personal.workspace_id), ({ role }) => role),
            Option.some("owner")
          )
        }))
    }

    it.effect("gets no mark of a document, if it is a connection", () =>
      Effect.gen(function*() {
        const [connections, { workspaceId }] = [yield* ConnectionStore, yield* newSource]
        const connection = newConnection()
        const { connection_id } = connection
        yield* connections.insert(workspaceId, connection, 10)
        yield* admit({ workspaceId, connectorId: ConnectorId.make(connection_id) }, [item("INBOX/1", "a")])
        const ref = { connection_id, resource: "INBOX" }
        yield* during(
          "remove_connection($1, $2)",
          [workspaceId, connection_id],
          connections.noteDeletions(workspaceId, ref, { gone: ["INBOX/1"], there: [] })
        )
        assert.deepInclude(yield* rowsOf(schema, workspaceId), { connections: 0, source_deletions: 0 })
      }))
  })
})
