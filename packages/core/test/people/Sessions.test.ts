import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { ClientAddress } from "@tributary/core/AuditLog"
import { Invitations } from "@tributary/core/Invitations"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { People } from "@tributary/core/People"
import { IdentityProvider } from "@tributary/core/ports/IdentityProvider"
import { AuditStore, EVERY_ENTRY } from "@tributary/core/ports/AuditStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { Sessions } from "@tributary/core/Sessions"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { services } from "../support/services.ts"

const peopled = Layer.mergeAll(Sessions.layer, Invitations.layer).pipe(
  Layer.provideMerge(People.layer),
  Layer.provideMerge(services)
)

const ALL = { workspaceId: null, selection: EVERY_ENTRY, after: null }

/** The owner of a new account, signed in. */
const signedIn = Effect.gen(function*() {
  const [invitations, sessions, workspaces] = [yield* Invitations, yield* Sessions, yield* Workspaces]
  const { account_id, personal_workspace } = yield* workspaces.createAccount({ name: "Ada" })
  const { token } = yield* invitations.signInLink({ account_id })
  const session = yield* sessions.signIn(token, "Firefox")
  const workspaceId = personal_workspace.workspace_id
  return { ...session, account_id, workspaceId, sessions, use: sessions.authenticate(session.secret, workspaceId) }
})

describe("a session", () => {
  it.effect("has its user, and the user's role in a workspace", () =>
    Effect.gen(function*() {
      const { secret, sessions, use, user, workspaceId } = yield* signedIn
      const { membership, ...rest } = yield* use
      assert.deepStrictEqual([rest.user, membership?.role, membership?.workspace.workspace_id], [
        user,
        "owner",
        workspaceId
      ])
      assert.strictEqual(rest.session.user_agent, "Firefox")
      for (const nowhere of [null, "x", crypto.randomUUID()]) {
        assert.isNull((yield* sessions.authenticate(secret, nowhere)).membership)
      }
    }).pipe(Effect.provide(peopled)))

  it.effect("ends after 12 hours without a request", () =>
    Effect.gen(function*() {
      const { use } = yield* signedIn
      for (let times = 0; times < 3; times++) {
        yield* TestClock.adjust("11 hours")
        yield* use
      }
      yield* TestClock.adjust("12 hours")
      assert.strictEqual((yield* Effect.flip(use))._tag, "authentication_error")
    }).pipe(Effect.provide(peopled)))

  it.effect("ends after 14 days, however busy", () =>
    Effect.gen(function*() {
      const { session, use } = yield* signedIn
      for (let hours = 0; hours < 14 * 24; hours += 6) {
        yield* use
        yield* TestClock.adjust("6 hours")
      }
      assert.deepStrictEqual(session.expires_at, new Date(14 * 86_400_000))
      assert.strictEqual((yield* Effect.flip(use))._tag, "authentication_error")
    }).pipe(Effect.provide(peopled)))

  it.effect("is one of at most 50 of its user: a new one ends the oldest", () =>
    Effect.gen(function*() {
      const { account_id, sessions, use, user } = yield* signedIn
      const invitations = yield* Invitations
      const signIn = Effect.gen(function*() {
        yield* TestClock.adjust("1 minute")
        const { token } = yield* invitations.signInLink({ account_id })
        return yield* sessions.signIn(token, null)
      })
      yield* Effect.repeat(signIn, { times: 48 })
      assert.lengthOf(yield* sessions.list(user), 50)
      yield* use
      yield* signIn
      assert.lengthOf(yield* sessions.list(user), 50)
      assert.strictEqual((yield* Effect.flip(use))._tag, "authentication_error")
    }).pipe(Effect.provide(peopled)))

  it.effect("is stored without its secret, and is not looked up if its form is invalid", () =>
    Effect.gen(function*() {
      const { secret } = yield* signedIn
      assert.match(Redacted.value(secret), /^[0-9A-Za-z]{43}$/)
      assert.notInclude(String(secret) + JSON.stringify(secret), Redacted.value(secret))
      const blind = Sessions.layer.pipe(
        Layer.provide(Layer.mergeAll(
          Layer.mock(SessionStore, {}),
          Layer.mock(AuditStore, {}),
          Layer.mock(People, {}),
          Layer.mock(Workspaces, {})
        ))
      )
      for (const text of ["", "x", "a".repeat(44), `${"a".repeat(42)};`, "\u0000".repeat(43)]) {
        const use = Effect.flatMap(Sessions, (sessions) => sessions.authenticate(Redacted.make(text), null))
        assert.strictEqual((yield* Effect.flip(Effect.provide(use, blind)))._tag, "authentication_error")
      }
    }).pipe(Effect.provide(peopled)))

  it.effect("has its start and end in the audit log, with the network address", () =>
    Effect.gen(function*() {
      const { account_id, session, sessions, user } = yield* signedIn
      yield* Effect.provideService(sessions.end(user, session.session_id), ClientAddress, "192.0.2.7")
      const log = yield* (yield* AuditStore).list(account_id, { ...ALL, limit: 9 })
      assert.deepStrictEqual(log.map(({ action, actor, address }) => [action, actor.id, address]), [
        ["session.ended", user.user_id, "192.0.2.7"],
        ["session.started", user.user_id, null],
        ["sign_in_link.created", "operator", null]
      ])
      assert.notInclude(JSON.stringify(log), "Firefox")
    }).pipe(Effect.provide(peopled)))

  it.effect("is ended with all others, which the audit log counts", () =>
    Effect.gen(function*() {
      const { account_id, sessions, use, user } = yield* signedIn
      const { token } = yield* (yield* Invitations).signInLink({ account_id })
      yield* sessions.signIn(token, null)
      yield* sessions.endAll(user)
      assert.deepStrictEqual(yield* sessions.list(user), [])
      assert.strictEqual((yield* Effect.flip(use))._tag, "authentication_error")
      const [entry] = yield* (yield* AuditStore).list(account_id, { ...ALL, limit: 1 })
      assert.deepInclude(entry, { action: "sessions.ended", subject: user.user_id })
      assert.deepStrictEqual(entry!.details, { sessions: 2 })
    }).pipe(Effect.provide(peopled)))

  it.effect("keeps the first 300 characters of what the browser says of itself", () =>
    Effect.gen(function*() {
      const { account_id, sessions } = yield* signedIn
      const { token } = yield* (yield* Invitations).signInLink({ account_id })
      const { session } = yield* sessions.signIn(token, "Firefox".padEnd(1_000, "."))
      assert.strictEqual(session.user_agent, "Firefox".padEnd(300, "."))
    }).pipe(Effect.provide(peopled)))

  it.effect("begins after an outage of the storage, whose failures count for no limit", () =>
    Effect.gen(function*() {
      const { account_id } = yield* signedIn
      const { token } = yield* (yield* Invitations).signInLink({ account_id })
      let failures = 10
      const failing = Layer.effect(
        SessionStore,
        Effect.map(SessionStore, (store) =>
          SessionStore.of({
            ...store,
            signIn: (...of) =>
              Effect.suspend(() => failures-- > 0 ? new StorageUnavailable({ cause: "away" }) : store.signIn(...of))
          }))
      )
      yield* Effect.gen(function*() {
        const sessions = yield* Sessions
        for (let at = 0; at < 10; at++) {
          assert.strictEqual((yield* Effect.flip(sessions.signIn(token, null)))._tag, "StorageUnavailable")
        }
        yield* sessions.signIn(token, null)
      }).pipe(Effect.provide(Layer.provide(Layer.fresh(Sessions.layer), failing)))
    }).pipe(Effect.provide(peopled)))

  it.effect("that is refused to an identity is in the log of the account with its e-mail", () =>
    Effect.gen(function*() {
      const { account_id, user } = yield* signedIn
      const [invitations, sessions, workspaces] = [yield* Invitations, yield* Sessions, yield* Workspaces]
      const shared = yield* workspaces.addShared(account_id, "Team")
      const workspace = yield* workspaces.find(shared.workspace_id)
      const invited = yield* invitations.invite(user, workspace, { email: "eve@example.com", role: "member" })
      const eve = yield* sessions.signIn(invited!.link.token, null)
      const refused = yield* Effect.flip(sessions.fromProvider("https://tributary.test/return", "kept", null))
      assert.strictEqual(refused._tag, "authentication_error")
      const log = yield* (yield* AuditStore).list(account_id, { ...ALL, limit: 1 })
      assert.deepStrictEqual(log.map(({ action, details, subject }) => [action, details, subject]), [
        ["sign_in.failed", { by: "openid", email: "eve@example.com" }, eve.user.user_id]
      ])
    }).pipe(
      Effect.provide(peopled),
      Effect.provideService(IdentityProvider, {
        begin: () => Effect.die("nobody goes there"),
        finish: () => Effect.succeed({ issuer: "i", subject: "s", email: "eve@example.com", name: null }),
        signUp: false
      })
    ))

  it.effect.each([
    { email: "\u212Aate@example.com", as: "the Kelvin sign for K" },
    { email: "\uFF4Bate@example.com", as: "a fullwidth letter" },
    { email: "kate\u200B@example.com", as: "an invisible character" }
  ])(
    "is not opened for an identity whose e-mail only looks like the user's: $as",
    ({ email }) =>
      Effect.gen(function*() {
        const [invitations, sessions, workspaces] = [yield* Invitations, yield* Sessions, yield* Workspaces]
        const { account_id } = yield* workspaces.createAccount({ name: "Kate" })
        const { user } = yield* invitations.signInLink({ account_id, email: "kate@example.com" })
        assert.strictEqual(user.email_proof, "operator")
        const attempt = sessions.fromProvider("https://tributary.test/return", "kept", null)
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "authentication_error")
      }).pipe(
        Effect.provide(peopled),
        Effect.provideService(IdentityProvider, {
          begin: () => Effect.die("nobody goes there"),
          finish: () => Effect.succeed({ issuer: "i", subject: "s", email, name: null }),
          signUp: true
        })
      )
  )

  it.effect("is opened for the verified e-mail, ignoring the case of ASCII letters", () =>
    Effect.gen(function*() {
      const [invitations, sessions, workspaces] = [yield* Invitations, yield* Sessions, yield* Workspaces]
      const { account_id } = yield* workspaces.createAccount({ name: "Kate" })
      const { user } = yield* invitations.signInLink({ account_id, email: "kate@example.com" })
      const opened = yield* sessions.fromProvider("https://tributary.test/return", "kept", null)
      assert.strictEqual(opened.user.user_id, user.user_id)
    }).pipe(
      Effect.provide(peopled),
      Effect.provideService(IdentityProvider, {
        begin: () => Effect.die("nobody goes there"),
        finish: () => Effect.succeed({ issuer: "i", subject: "s", email: "KATE@Example.com", name: null }),
        signUp: false
      })
    ))

  it.effect("that began while the clock was ahead ends when the clock is set back by more than an hour", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2027, 0, 1))
      const { use } = yield* signedIn
      yield* TestClock.adjust("-1 hour")
      yield* use
      yield* TestClock.adjust("-1 second")
      assert.strictEqual((yield* Effect.flip(use))._tag, "authentication_error")
    }).pipe(Effect.provide(peopled)))

  it.effect("is deleted some time after its end, and an entry of the audit log after a year", () =>
    Effect.gen(function*() {
      const { account_id, sessions, user } = yield* signedIn
      const [audit, store] = [yield* AuditStore, yield* SessionStore]
      const entries = audit.list(account_id, { ...ALL, limit: 9 })
      const kept = store.list(user.user_id, { now: new Date(1), seenAfter: new Date(-1) })
      yield* TestClock.adjust("365 days")
      assert.deepStrictEqual(yield* sessions.list(user), [])
      assert.deepStrictEqual([(yield* entries).length, (yield* kept).length], [2, 1])
      yield* TestClock.adjust("1 second")
      yield* Layer.build(Layer.provide(Tributary.layer, ExtractiveAnswerer.layer))
      for (let turn = 0; turn < 1_000 && (yield* entries).length + (yield* kept).length > 0; turn++) {
        yield* Effect.yieldNow
      }
      assert.deepStrictEqual([yield* entries, yield* kept], [[], []])
    }).pipe(Effect.provide(peopled)))
})
