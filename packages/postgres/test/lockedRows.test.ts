/** What other servers have locked at the moment is not waited for. */
import { assert, it } from "@effect/vitest"
import { ApiKeyId, SessionId, UserId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { Duration, Effect, Layer, Option } from "effect"
import { Pool } from "pg"
import { afterAll } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { advanceIn, describePostgres, dropped, newSchema, pool } from "./support/database.ts"
import { furnishPeople, newJob, newSource, newUuid, NOW } from "./support/source.ts"
import { databaseUrl } from "./support/testServer.ts"

const schema = newSchema()
const LEASE = Duration.minutes(10)

describePostgres("a row that another server has locked", () => {
  const others = new Pool({ connectionString: databaseUrl ?? "" })
  afterAll(() => others.end())

  /** Until the scope closes. */
  const locked = (table: string, id: string) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = await others.connect()
        const column = `${table.slice(0, -1).replace("api_", "")}_id`
        await client.query("BEGIN")
        await client.query(`SELECT FROM ${schema}.${table} WHERE ${column} = $1 FOR UPDATE`, [id])
        return client
      }),
      (client) => Effect.promise(() => client.query("ROLLBACK").then(() => client.release()))
    )

  const waiting = pool({ startupParameters: { lock_timeout: "1000" } })
  const ports = Postgres.layer({ schema }).pipe(Layer.provideMerge(dropped(schema)), Layer.provideMerge(waiting))

  it.layer(ports, { excludeTestServices: true })((it) => {
    it.effect("delays no claim of another job, and later jobs of its key wait", () =>
      Effect.gen(function*() {
        const jobs = yield* JobStore
        const { workspaceId } = yield* newSource
        const queue = newUuid()
        const [first, second, other] = ["a", "a", "b"].map((key) => newJob(workspaceId, { queue, key, joins: false }))
        for (const job of [first!, second!, other!]) yield* jobs.enqueue(job, null)
        yield* locked("jobs", first!.job_id)
        const claim = Effect.map(
          jobs.claim([queue], LEASE, NOW),
          (claimed) => Option.getOrNull(claimed)?.job.job_id ?? null
        )
        assert.strictEqual(yield* claim, other!.job_id)
        assert.isNull(yield* claim)
      }).pipe(Effect.scoped))

    it.effect("is left to the other one when lost jobs are taken back", () =>
      Effect.gen(function*() {
        const jobs = yield* JobStore
        const { workspaceId } = yield* newSource
        const queue = newUuid()
        const [one, two] = ["a", "b"].map((key) => newJob(workspaceId, { queue, key }))
        for (const job of [one!, two!]) {
          yield* jobs.enqueue(job, null)
          yield* jobs.claim([queue], LEASE, NOW)
        }
        const reaped = Effect.map(
          jobs.reap(NOW),
          (all) => all.filter((job) => job.queue === queue).map(({ job_id }) => job_id)
        )
        yield* advanceIn(schema)("11 minutes")
        yield* Effect.scoped(Effect.gen(function*() {
          yield* locked("jobs", one!.job_id)
          assert.deepStrictEqual(yield* reaped, [two!.job_id])
        }))
        assert.deepStrictEqual(yield* reaped, [one!.job_id])
      }))

    it.effect("authenticates a key and a session, whose last use stays as it is", () =>
      Effect.gen(function*() {
        const [keys, people, sessions] = [yield* ApiKeyStore, yield* PeopleStore, yield* SessionStore]
        const source = yield* newSource
        const { user_id } = yield* furnishPeople(source)
        const [key_id, hash, link] = [ApiKeyId.make(newUuid()), "0a".repeat(32), "0b".repeat(32)]
        const dates = { created_at: NOW, last_used_at: null, expires_at: null, revoked_at: null }
        const key = { key_id, name: "k", hint: "wxyz", scopes: ["api:read" as const], created_by: OPERATOR, ...dates }
        yield* keys.insert(source.workspaceId, key, hash)
        const later = new Date(NOW.getTime() + 3_600_000)
        yield* people.addLink(link, { user_id }, later)
        const session = {
          session_id: SessionId.make(newUuid()),
          created_at: NOW,
          last_seen_at: NOW,
          expires_at: new Date(later.getTime() + 1),
          user_agent: null,
          address: null
        }
        yield* sessions.signIn(link, session, hash, { newUserId: UserId.make(newUuid()), maximum: 9 })
        yield* locked("api_keys", key_id)
        yield* locked("sessions", session.session_id)
        const authenticated = Option.getOrThrow(yield* keys.authenticate(hash, later))
        assert.isNull(authenticated.key.last_used_at)
        const seen = Option.getOrThrow(yield* sessions.authenticate(hash, null, { now: later, seenAfter: new Date(0) }))
        assert.deepStrictEqual(seen.session.last_seen_at, NOW)
      }).pipe(Effect.scoped))
  })
})
