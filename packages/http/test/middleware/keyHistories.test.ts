/** Random histories of API keys, their tokens and the requests made with them, while calls of the store fail. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { assert, it } from "@effect/vitest"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { WorkspaceId } from "@tributary/core/model/Id"
import { covers, type FineScope, type Scope } from "@tributary/core/model/Scope"
import { AuditStore, EVERY_ENTRY } from "@tributary/core/ports/AuditStore"
import * as SecretBox from "@tributary/core/SecretBox"
import * as Tributary from "@tributary/core/Tributary"
import { Arbitrary, Clock, Context, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { key, settle, store } from "../../../core/test/support/connecting.ts"
import { faultyPorts, insist, newFaults, someFaults } from "../../../core/test/support/faultyPorts.ts"
import { integerBelow } from "../../../core/test/support/integerBelow.ts"
import { newMeanwhile } from "../../../core/test/support/intercepted.ts"
import { extractor } from "../../../core/test/support/wholeService.ts"
import * as Http from "../../src/Http.ts"
import { ADMIN_TOKEN, type Answer, BASE_URL, field, sender, type Sent } from "../support/wire.ts"

const SCOPES: ReadonlyArray<ReadonlyArray<Scope>> = [
  ["api:read", "api:write"],
  ["api:read", "api:write"],
  ["workspaces:write", "runtime:read"],
  ["custom_connectors:read"],
  ["knowledge:read", "knowledge:write"]
]

/** Requests with the scope that each needs. */
const REQUESTS: ReadonlyArray<readonly [FineScope | null, string, string]> = [
  [null, "GET", "/v1/usage/current"],
  ["knowledge:read", "GET", "/v1/knowledge/status"],
  ["knowledge:write", "POST", "/v1/knowledge/refresh"],
  ["custom_connectors:read", "GET", "/v1/custom-connectors"],
  ["runtime:read", "GET", "/v1/runtime/events"]
]

const Act = Arbitrary.all({
  act: Arbitrary.schema(Schema.Literals([
    "create",
    "create",
    "create",
    "create by key",
    "create by key",
    "issue token",
    "issue token",
    "use",
    "use",
    "use",
    "listen",
    "revoke",
    "revoke",
    "rotate",
    "delete workspace",
    "wait"
  ])),
  at: integerBelow(20),
  server: integerBelow(2),
  what: integerBelow(REQUESTS.length),
  seconds: Arbitrary.schema(Schema.Literals([1, 15, 70]))
})
type Act = typeof Act extends Arbitrary.Arbitrary<infer A> ? A : never
const Step = Arbitrary.all({ now: Act, meanwhile: Act, calls: integerBelow(4), faults: someFaults })

/** An API key, as it is promised to be. */
interface Key {
  readonly key_id: string
  readonly workspace: string
  readonly maker: Key | null
  /** In doubt until the revocation is acknowledged. */
  revoked: "no" | "in doubt" | "yes"
  lastUsed: number
  used: number
}

/** A key, or a token of it. */
interface Bearer {
  readonly secret: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expires: number
  readonly key: Key
  invalidSince: number | null
}

/** With the key that made it. */
const revoked = ({ maker, revoked: own }: Key): Key["revoked"] => {
  const inherited = maker === null ? "no" : revoked(maker)
  return own === "yes" || inherited === "yes" ? "yes" : own === "no" ? inherited : own
}

it.effect.prop(
  "a request is let in while its key is valid, with its scopes, on every server, and a stream ends with its key",
  [Arbitrary.array(Step, { minLength: 1, maxLength: 15 })],
  ([steps]) => {
    const faults = newFaults()
    const meanwhile = newMeanwhile()
    const ports = faultyPorts((name) =>
      Effect.map(name.startsWith("ApiKeyStore") ? meanwhile.before : Effect.void, faults.next)
    )
    const startServer = Effect.gen(function*() {
      const services = yield* Layer.build(
        Layer.fresh(Tributary.layer).pipe(
          Layer.provide(ExtractiveAnswerer.layer),
          Layer.provide(SecretBox.layer([key(1)])),
          Layer.provideMerge(ports),
          Layer.provideMerge(extractor)
        )
      )
      const app = Http.app({ baseUrl: BASE_URL, adminToken: Option.some(Redacted.make(ADMIN_TOKEN)) })
      return { services, ...yield* sender(yield* Effect.provideContext(app, services), null) }
    })
    return Effect.gen(function*() {
      const servers = [yield* startServer, yield* startServer] as const
      const [{ services }] = servers
      const bearers: Array<Bearer> = []
      const keys: Array<Bearer> = []
      const streams: Array<{ readonly bearer: Bearer; readonly ended: Effect.Effect<boolean> }> = []
      const open = new Set<string>()
      /** Also while they are being deleted. */
      const closed = new Set<string>()

      /** A request of the operator or of a key, until it is answered. */
      const asked = (server: number, method: string, path: string, sent: Sent = {}) =>
        servers[server]!.send(method, path, { key: ADMIN_TOKEN, ...sent }).pipe(
          Effect.flatMap((answer) =>
            answer.status === 503 ? Effect.fail(new StorageUnavailable({ cause: answer })) : Effect.succeed(answer)
          ),
          insist,
          Effect.flatten,
          Effect.orDie
        )
      const account = yield* asked(0, "POST", "/admin/v1/accounts", { body: { name: "Ada", tier: "pro" } })
      const home = field<{ readonly workspace_id: string }>(account, "personal_workspace").workspace_id
      open.add(home)

      const expected = ({ expires, key, scopes }: Bearer, scope: FineScope | null, now: number) => {
        const isRevoked = revoked(key)
        const admitted = scope === null || covers(scopes, scope) ? "2xx" : "403"
        return isRevoked === "yes" || now >= expires ? ["401"] : isRevoked === "no" ? [admitted] : [admitted, "401"]
      }
      /** The plan allows ten workspaces, and an answer that was lost has taken one. */
      const statusOf = ({ status, text }: Answer) =>
        status < 300 || text.includes("This plan allows 10 shared workspaces") ? "2xx" : String(status)
      /** What changes while a request runs may hold for it or not. */
      const checked = Effect.fnUntraced(function*<E>(
        bearer: Bearer,
        scope: FineScope | null,
        request: Effect.Effect<Answer, E>
      ) {
        const began = yield* Clock.currentTimeMillis
        const before = expected(bearer, scope, began)
        const answer = yield* request
        const after = expected(bearer, scope, yield* Clock.currentTimeMillis)
        assert.include([...before, ...after], statusOf(answer), answer.text)
        if (answer.status < 300) {
          bearer.key.used++
          bearer.key.lastUsed = Math.max(bearer.key.lastUsed, began)
        }
        return answer
      })

      const keep = (created: object, workspace: string, maker: Key | null) => {
        const { expires_at, key_id, scopes, secret } = created as {
          readonly key_id: string
          readonly secret: string
          readonly scopes: ReadonlyArray<Scope>
          readonly expires_at: string | null
        }
        const kept: Bearer = {
          secret,
          scopes,
          expires: expires_at === null ? Infinity : Date.parse(expires_at),
          key: {
            key_id,
            workspace,
            maker,
            revoked: !closed.has(workspace) ? "no" : open.has(workspace) ? "in doubt" : "yes",
            lastUsed: -Infinity,
            used: 0
          },
          invalidSince: null
        }
        bearers.push(kept)
        keys.push(kept)
        return kept
      }
      const create = Effect.fnUntraced(
        function*(workspace: string, scopes: ReadonlyArray<Scope>, seconds: number | null, server: number) {
          const expires_at = seconds === null ? null : new Date((yield* Clock.currentTimeMillis) + seconds * 1_000)
          const created = yield* asked(server, "POST", `/admin/v1/workspaces/${workspace}/api-keys`, {
            body: { name: "K", scopes, expires_at }
          })
          if (created.status === 201) return keep(created.body as object, workspace, null)
          const isPast = expires_at !== null && expires_at.getTime() <= (yield* Clock.currentTimeMillis)
          assert.isTrue(isPast ? created.status === 422 : closed.has(workspace), created.text)
          return null
        }
      )
      const revoke = Effect.fnUntraced(function*({ key }: Bearer, server: number) {
        if (key.revoked === "no") key.revoked = "in doubt"
        const answer = yield* asked(server, "DELETE", `/admin/v1/api-keys/${key.key_id}`)
        assert.isTrue(answer.status === 200 || closed.has(key.workspace), answer.text)
        key.revoked = "yes"
      })
      const use = Effect.fnUntraced(function*(bearer: Bearer, what: number, server: number) {
        const [scope, method, path] = REQUESTS[what]!
        yield* checked(bearer, scope, asked(server, method, path, { key: bearer.secret }))
      })

      const run = ({ act, at, seconds, server, what }: Act): Effect.Effect<unknown> =>
        Effect.orDie(Effect.gen(function*() {
          const scopes = SCOPES[what]!
          const workspace = [...open][at % open.size]!
          const key = keys[at % keys.length]
          const bearer = bearers[at % bearers.length]
          if (act === "create") return void (yield* create(workspace, scopes, at % 3 === 0 ? seconds : null, server))
          if (act === "wait") return yield* settle(seconds)
          if (key === undefined || bearer === undefined) return
          switch (act) {
            case "create by key": {
              const request = { key: key.secret, body: { name: "Shared" } }
              const answer = yield* checked(key, "workspaces:write", asked(server, "POST", "/v1/workspaces", request))
              if (answer.status !== 201) return
              const { api_key, workspace_id } = answer.body as {
                readonly api_key: object
                readonly workspace_id: string
              }
              open.add(workspace_id)
              return void keep(api_key, workspace_id, key.key)
            }
            case "issue token": {
              const body = { expires_in: 60, scopes: key.scopes.slice(0, 1) }
              const answer = yield* checked(key, null, asked(server, "POST", "/v1/tokens", { key: key.secret, body }))
              if (answer.status !== 201) return
              const expires = Date.parse(field<string>(answer, "expires_at"))
              const secret = field<string>(answer, "token")
              return void bearers.push({ secret, scopes: body.scopes, expires, key: key.key, invalidSince: null })
            }
            case "use":
              return yield* use(bearer, what, server)
            case "listen": {
              const now = yield* Clock.currentTimeMillis
              if (!expected(bearer, "runtime:read", now).includes("2xx")) return
              faults.plan([])
              const stream = yield* servers[server]!.listen("GET", "/v1/runtime/events", { key: bearer.secret })
              return void streams.push({ bearer, ...stream })
            }
            case "revoke":
              return yield* revoke(key, server)
            case "rotate": {
              const next = yield* create(key.key.workspace, key.scopes, null, server)
              if (next === null) return
              for (const other of servers.keys()) yield* use(next, 0, other)
              return yield* revoke(key, server)
            }
            case "delete workspace": {
              if (workspace === home) return
              const end = (revoked: Key["revoked"]) => {
                for (const { key } of keys) {
                  if (key.workspace === workspace && key.revoked !== "yes") key.revoked = revoked
                }
              }
              closed.add(workspace)
              end("in doubt")
              const answer = yield* asked(server, "DELETE", `/admin/v1/workspaces/${workspace}`)
              assert.include([200, 404], answer.status)
              end("yes")
              return void open.delete(workspace)
            }
          }
        }))

      const check = Effect.gen(function*() {
        faults.plan([])
        for (const bearer of bearers) {
          for (const { send } of servers) {
            const answer = yield* checked(bearer, null, send("GET", "/v1/usage/current", { key: bearer.secret }))
            if (answer.status !== 200) continue
            assert.deepInclude(answer.body, { workspace_id: bearer.key.workspace, scopes: bearer.scopes })
          }
          const now = yield* Clock.currentTimeMillis
          if (!expected(bearer, null, now).includes("2xx")) bearer.invalidSince ??= now
        }
        const now = yield* Clock.currentTimeMillis
        for (const { bearer, ended } of streams) {
          if (bearer.invalidSince !== null && now - bearer.invalidSince > 60_000) assert.isTrue(yield* ended)
        }
      })

      yield* create(home, SCOPES[0]!, null, 0)
      for (const { calls, faults: planned, meanwhile: act, now } of steps) {
        faults.plan(planned)
        let ended: Exit.Exit<unknown> = Exit.void
        meanwhile.plan(
          calls,
          Effect.map(Effect.exit(Effect.uninterruptible(Effect.suspend(() => run(act)))), (exit) => ended = exit)
        )
        yield* run(now)
        meanwhile.cancel()
        yield* ended
        yield* check
      }
      for (let round = 0; round < 2; round++) yield* Effect.andThen(check, settle(75))

      const audit = yield* Context.get(services, AuditStore).list(
        field<never>(account, "account_id"),
        { workspaceId: null, selection: EVERY_ENTRY, after: null, limit: 1_000 }
      )
      const isRecorded = (action: string, { key_id }: Key) =>
        audit.some((entry) => entry.action === action && entry.subject === key_id)
      for (const workspace of open) {
        const answer = yield* asked(0, "GET", `/admin/v1/workspaces/${workspace}/api-keys`)
        const listed = field<ReadonlyArray<Readonly<Record<string, unknown>>>>(answer, "api_keys")
        assert.notMatch(answer.text, /pk_live_/)
        const traffic = yield* Context.get(services, ApiKeys).traffic(WorkspaceId.make(workspace))
        for (const { expires, key, scopes, secret } of keys.filter(({ key }) => key.workspace === workspace)) {
          const { last_used_at, revoked_at, ...shown } = listed.find(({ key_id }) => key_id === key.key_id)!
          assert.deepInclude(shown, {
            hint: secret.slice(-4),
            scopes,
            expires_at: expires === Infinity ? null : new Date(expires).toISOString()
          })
          assert.strictEqual(revoked_at !== null, revoked(key) === "yes")
          if (key.used > 0) assert.isAtLeast(Date.parse(String(last_used_at)), key.lastUsed - 60_000)
          const requests = traffic.filter(({ key_id }) => key_id === key.key_id)
          assert.isAtLeast(requests.reduce((sum, one) => sum + one.requests, 0), key.used)
          assert.isTrue(isRecorded("api_key.created", key))
          if (key.revoked === "yes") assert.isTrue(isRecorded("api_key.revoked", key))
        }
      }
    }).pipe(Effect.scoped, Effect.provide(store))
  },
  { timeout: 600_000, arbitrary: { runs: extent(4, 200), size: 100, seed: 1 } }
)
