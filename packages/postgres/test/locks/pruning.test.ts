/** Pruning while requests hold some of the rows that are to go. */
import { assert, it } from "@effect/vitest"
import { UserId } from "@tributary/core/model/Id"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { freshTeam, newHash, newInvitation, newSession, newUuid } from "../../../contract/src/internal/fixtures.ts"
import { describePostgres, newSchema, portsIn } from "../support/database.ts"
import { otherServer } from "../support/otherServer.ts"
import { isWaitingIn } from "../support/isWaiting.ts"
import { NOW } from "../support/source.ts"

const schema = newSchema()

const LATER = new Date(NOW.getTime() + 3_600_000)

describePostgres("pruning", () => {
  const other = otherServer()

  /** Runs it while another server holds the row, and returns whether it had to wait. */
  const waitsFor = Effect.fnUntraced(function*<A, E, R>(row: string, id: string, prune: Effect.Effect<A, E, R>) {
    const run = yield* other
    yield* Effect.acquireRelease(run("BEGIN"), () => run("COMMIT"))
    yield* run(`SELECT FROM ${schema}.${row} = $1 FOR UPDATE`, id)
    const waits = Effect.repeat(isWaitingIn(schema), { until: (waits) => waits })
    return yield* Effect.raceFirst(Effect.as(prune, false), Effect.as(waits, true))
  }, Effect.scoped)

  const countOf = (table: string) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql.unsafe<{ readonly rows: number }>(
        `SELECT count(*)::integer AS rows FROM ${schema}.${table}`
      )
      return row!.rows
    })

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("leaves links, invitations and guests that a request holds to the next time", () =>
      Effect.gen(function*() {
        const [people, sessions] = [yield* PeopleStore, yield* SessionStore]
        const { owner, shared: { workspace_id } } = yield* freshTeam
        const [one, two] = [newInvitation({ expires_at: LATER }), newInvitation({ expires_at: LATER })]
        const guests = yield* Effect.forEach([one, two], (invitation) =>
          Effect.gen(function*() {
            const { email, invitation_id } = invitation
            yield* people.invite(workspace_id, invitation, 9)
            yield* people.addLink(newHash(), { invitation_id }, LATER)
            const identity = { issuer: "https://login.example", subject: newUuid(), email, name: null }
            const options = { newUserId: UserId.make(newUuid()), maximum: 9, account: null }
            return Option.getOrThrow(yield* sessions.signInAs(identity, newSession(), newHash(), options)).user_id
          }))
        yield* people.addLink(newHash(), { user_id: owner.user_id }, LATER)
        const prune = people.prune(LATER)

        assert.isFalse(yield* waitsFor("sign_in_links WHERE subject", owner.user_id, prune))
        assert.deepStrictEqual([yield* countOf("sign_in_links"), yield* countOf("invitations")], [1, 0])
        for (const invitation of [one, two]) yield* people.invite(workspace_id, invitation, 9)
        assert.isFalse(yield* waitsFor("invitations WHERE invitation_id", one.invitation_id, prune))
        assert.deepStrictEqual([yield* countOf("sign_in_links"), yield* countOf("invitations")], [0, 1])
        yield* prune
        assert.strictEqual(yield* countOf("invitations"), 0)
        assert.deepStrictEqual(yield* Effect.forEach(guests, (id) => people.find(id)), [Option.none(), Option.none()])
      }))

    it.effect("leaves sessions that a request holds to the next time", () =>
      Effect.gen(function*() {
        const [people, sessions] = [yield* PeopleStore, yield* SessionStore]
        const { owner: { user_id } } = yield* freshTeam
        const hashes = [newHash(), newHash()]
        const held = newSession()
        for (const [index, hash] of hashes.entries()) {
          const link = newHash()
          yield* people.addLink(link, { user_id }, LATER)
          const session = index === 0 ? held : newSession()
          yield* sessions.signIn(link, session, hash, { newUserId: UserId.make(newUuid()), maximum: 9 })
        }
        const prune = sessions.prune({ now: new Date(8.64e15), seenAfter: NOW })
        assert.isFalse(yield* waitsFor("sessions WHERE session_id", held.session_id, prune))
        assert.strictEqual(yield* countOf("sessions"), 1)
        yield* prune
        assert.strictEqual(yield* countOf("sessions"), 0)
      }))
  })
})
