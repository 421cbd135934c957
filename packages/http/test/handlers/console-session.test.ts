// Signing in to the console, and sessions (decisions 10).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { consoled, COOKIE, OF_CONSOLE, secretOf, tokenOf } from "../support/console.ts"
import { BASE_URL, code, field, UUID, wire } from "../support/wire.ts"

type Json = Readonly<Record<string, unknown>>

const service = Effect.gen(function*() {
  return yield* consoled(yield* wire({ tier: "pro" }))
})

describe("A sign-in link", () => {
  it.effect("leads to the console at the public address, with its token in the fragment", () =>
    Effect.gen(function*() {
      const { account, operate } = yield* service
      const answer = yield* operate("POST", "/sign-in-links", {
        body: { account_id: account.account_id },
        headers: { host: "evil.example", "x-forwarded-host": "evil.example" }
      })
      assert.strictEqual(answer.status, 201)
      assert.match(field(answer, "url"), /^https:\/\/tributary\.test\/console\/sign-in#token=[0-9A-Za-z]{43}$/)
      assert.deepInclude(answer.body as Json, { email: null, name: "Account", expires_at: "1970-01-01T00:15:00.000Z" })
    }))

  it.effect("signs in once, and then fails like an unknown one", () =>
    Effect.gen(function*() {
      const { account, linkFor, signIn } = yield* service
      const token = tokenOf(yield* linkFor({ account_id: account.account_id }))
      const first = yield* signIn(token)
      assert.strictEqual(first.status, 200)
      assert.match(field<{ readonly user_id: string }>(first, "user").user_id, UUID)
      for (const refused of [token, "a".repeat(43), "x", `${token} `]) {
        const answer = yield* signIn(refused)
        assert.deepStrictEqual([answer.status, code(answer)], [401, "authentication_error"])
        assert.isNull(answer.headers.get("set-cookie"))
        assert.notInclude(answer.text, refused.length > 9 ? refused : "never")
      }
    }))

  it.effect("that is reused or expired is logged as a failed attempt in its account, with the network address", () =>
    Effect.gen(function*() {
      const { account, browser, linkFor, send } = yield* service
      const { account_id, personal_workspace: { workspace_id } } = account
      const spent = yield* linkFor({ account_id })
      const owner = yield* browser(spent)
      const from = (address: string, token: string) =>
        send("POST", "/console/api/sign-in", { key: null, body: { token }, headers: OF_CONSOLE, address })
      yield* from("192.0.2.1", tokenOf(spent))
      yield* from("192.0.2.2", "a".repeat(43))
      const late = yield* linkFor({ account_id })
      yield* TestClock.adjust("16 minutes")
      yield* from("192.0.2.3", tokenOf(late))
      const log = yield* owner.audit(workspace_id, "action=sign_in")
      assert.deepStrictEqual(
        field<ReadonlyArray<Json>>(log, "entries").map(({ actor, address, details, subject }) => [
          (actor as Json)["id"],
          address,
          details,
          subject
        ]),
        ["192.0.2.3", "192.0.2.1"].map((address) => ["unknown", address, { by: "link" }, owner.user_id])
      )
    }))

  it.effect("works for 15 minutes, and until the next one is created", () =>
    Effect.gen(function*() {
      const { account, linkFor, signIn } = yield* service
      const link = linkFor({ account_id: account.account_id })
      const [before, after] = [yield* link, yield* link]
      assert.strictEqual((yield* signIn(tokenOf(before))).status, 401)
      yield* TestClock.adjust("899 seconds")
      assert.strictEqual((yield* signIn(tokenOf(after))).status, 200)
      const late = yield* link
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* signIn(tokenOf(late))).status, 401)
    }))

  it.effect("is for the user with the e-mail; an owner without one gets it", () =>
    Effect.gen(function*() {
      const { account: { account_id }, browser, invited, linkFor, newWorkspace, operate, owner } = yield* service
      const ask = (body: object) => operate("POST", "/sign-in-links", { body })
      const first = yield* ask({ account_id, email: "Ada@Example.com" })
      assert.deepInclude(first.body as Json, { user_id: owner.user_id, email: "ada@example.com" })
      assert.strictEqual(field(yield* ask({ email: "ADA@example.com" }), "user_id"), owner.user_id)
      const { user_id } = yield* invited(yield* newWorkspace("Team"), "grace@example.com", "member")
      assert.strictEqual(field(yield* ask({ email: "grace@example.com" }), "user_id"), user_id)
      assert.strictEqual(field(yield* ask({ user_id }), "email"), "grace@example.com")
      const inCapitals = { user_id: user_id.toUpperCase(), account_id: account_id.toUpperCase() }
      assert.strictEqual(field(yield* ask(inCapitals), "user_id"), user_id)
      assert.strictEqual((yield* ask({ user_id: crypto.randomUUID() })).status, 404)
      const stranger = yield* ask({ email: "eve@example.com" })
      assert.deepStrictEqual([stranger.status, code(stranger)], [422, "unprocessable_entity"])
      assert.strictEqual(field(yield* ask({}), "user_id"), owner.user_id)

      const other = yield* operate("POST", "/accounts", { body: { name: "B", email: "Grace@example.com" } })
      const second = field<string>(other, "account_id")
      assert.strictEqual(field(yield* ask({ account_id: second }), "email"), "grace@example.com")
      assert.strictEqual((yield* ask({})).status, 422)
      // The operator vouches for the owner of the other account, and nobody yet for the person who was invited here.
      assert.notStrictEqual(field(yield* ask({ email: "grace@example.com" }), "user_id"), user_id)
      yield* browser(yield* linkFor({ user_id }))
      assert.strictEqual((yield* ask({ email: "grace@example.com" })).status, 422)
      assert.strictEqual((yield* ask({ account_id: crypto.randomUUID() })).status, 404)
      assert.strictEqual((yield* ask({ account_id, email: "no address" })).status, 422)
    }))
})

describe("The session's cookie", () => {
  it.effect("is hidden from scripts, other sites and plain http, and ends with the session", () =>
    Effect.gen(function*() {
      const { account, linkFor, signIn } = yield* service
      const answer = yield* signIn(tokenOf(yield* linkFor({ account_id: account.account_id })))
      const [value, ...attributes] = answer.headers.get("set-cookie")!.split("; ")
      assert.match(value!, new RegExp(`^${COOKIE}=[0-9A-Za-z]{43}$`))
      assert.sameMembers(attributes, ["Path=/", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age=1209600"])
      assert.notInclude(answer.text, secretOf(answer))
    }))

  it.effect("is new at every sign-in, whatever the browser had before", () =>
    Effect.gen(function*() {
      const { account, linkFor, owner, signIn, visit } = yield* service
      const planted = "p".repeat(43)
      const before = { cookie: `${COOKIE}=${planted}` }
      const answer = yield* signIn(tokenOf(yield* linkFor({ account_id: account.account_id })), before)
      assert.notInclude([planted, owner.secret, ""], secretOf(answer))
      assert.strictEqual((yield* visit(planted, "GET", "/console/api/me")).status, 401)
      assert.strictEqual((yield* visit(secretOf(answer), "GET", "/console/api/me")).status, 200)
    }))

  it.effect("is ignored if a second one was planted beside it", () =>
    Effect.gen(function*() {
      const { owner, send } = yield* service
      const cookie = `${COOKIE}=${owner.secret}; ${COOKIE}=${"p".repeat(43)}`
      assert.strictEqual((yield* send("GET", "/console/api/me", { key: null, headers: { cookie } })).status, 401)
    }))
})

describe("A request that changes something", () => {
  it.effect("must come from the console's own page", () =>
    Effect.gen(function*() {
      const { linkFor, owner, send } = yield* service
      const cookie = `${COOKIE}=${owner.secret}`
      const ours = { "x-tributary-console": "1" }
      const foreign: ReadonlyArray<Readonly<Record<string, string>>> = [
        {},
        { "sec-fetch-site": "same-origin", origin: BASE_URL },
        { ...ours },
        { ...ours, "sec-fetch-site": "cross-site", origin: BASE_URL },
        { ...ours, "sec-fetch-site": "same-site" },
        { ...ours, "sec-fetch-site": "none" },
        { ...ours, origin: "https://evil.example" },
        { ...ours, origin: "null" },
        { ...ours, origin: `${BASE_URL}.evil.example` }
      ]
      const token = tokenOf(yield* linkFor({}))
      for (const headers of foreign) {
        const tries = [
          yield* send("DELETE", "/console/api/sessions", { key: null, headers: { ...headers, cookie } }),
          yield* send("PATCH", "/v1/knowledge/settings", {
            key: null,
            body: {},
            headers: { ...headers, cookie, "x-workspace-id": crypto.randomUUID() }
          }),
          yield* send("POST", "/console/api/sign-in", { key: null, body: { token }, headers })
        ]
        for (const { body, status } of tries) {
          assert.deepStrictEqual(
            [status, (body as Json)["error_code"]],
            [403, "permission_denied"],
            JSON.stringify(headers)
          )
        }
      }
      const older = { ...ours, origin: BASE_URL, cookie }
      assert.strictEqual((yield* send("POST", "/console/api/sign-out", { key: null, headers: older })).status, 200)
    }))

  it.effect("is not available to other origins, and no answer redirects elsewhere", () =>
    Effect.gen(function*() {
      const { owner, send } = yield* service
      const headers = { origin: "https://evil.example", "access-control-request-method": "POST", host: "evil.example" }
      const preflight = yield* send("OPTIONS", "/console/api/sign-in", { key: null, headers })
      const me = yield* owner.api("GET", "/me?next=https://evil.example", { headers: { host: "evil.example" } })
      for (const answer of [preflight, me]) {
        assert.isNull(answer.headers.get("access-control-allow-origin"))
        assert.isNull(answer.headers.get("location"))
        assert.notInclude(answer.text, "evil.example")
      }
    }))
})

describe("A session", () => {
  it.effect("has the user who is signed in, and lets them change their name", () =>
    Effect.gen(function*() {
      const { owner } = yield* service
      const me = yield* owner.api("GET", "/me", { headers: { "user-agent": "Firefox" } })
      assert.deepInclude(field<Json>(me, "user"), { user_id: owner.user_id, name: "Account" })
      assert.deepInclude(field<Json>(me, "session"), {
        session_id: owner.session_id,
        expires_at: "1970-01-15T00:00:00.000Z"
      })
      assert.notInclude(me.text, owner.secret)
      assert.strictEqual(field(yield* owner.api("PATCH", "/me", { body: { name: "Ada" } }), "name"), "Ada")
      assert.strictEqual((yield* owner.api("PATCH", "/me", { body: { name: " ", role: "owner" } })).status, 422)
    }))

  it.effect("is ended by itself, by another of the same user, or with all of them, and by nobody else", () =>
    Effect.gen(function*() {
      const { browser, invited, linkFor, newWorkspace, owner } = yield* service
      const link = linkFor({ email: "grace@example.com" })
      yield* invited(yield* newWorkspace("Team"), "grace@example.com", "member")
      const member = yield* browser(yield* link)
      const [laptop, phone] = [yield* browser(yield* link), yield* browser(yield* link)]
      const listed = yield* laptop.api("GET", "/sessions")
      assert.deepStrictEqual(
        field<ReadonlyArray<Json>>(listed, "sessions").map(({ session_id }) => session_id),
        [phone.session_id, laptop.session_id, member.session_id]
      )
      assert.strictEqual((yield* owner.api("DELETE", `/sessions/${laptop.session_id}`)).status, 404)
      const ended = yield* laptop.api("DELETE", `/sessions/${phone.session_id}`)
      assert.deepStrictEqual(ended.body, { status: "ended", session_id: phone.session_id })
      assert.strictEqual((yield* phone.api("GET", "/me")).status, 401)

      const out = yield* laptop.api("POST", "/sign-out")
      assert.match(out.headers.get("set-cookie")!, new RegExp(`^${COOKIE}=; .*Max-Age=0$`))
      assert.strictEqual((yield* laptop.api("GET", "/me")).status, 401)

      const tablet = yield* browser(yield* link)
      assert.strictEqual((yield* member.api("DELETE", "/sessions")).status, 200)
      for (const each of [member, tablet]) assert.strictEqual((yield* each.api("GET", "/me")).status, 401)
      assert.strictEqual((yield* owner.api("GET", "/me")).status, 200)
    }))

  it.effect("is shared by two tabs and ends in both", () =>
    Effect.gen(function*() {
      const { owner, visit } = yield* service
      const tab = (method: string, path: string) => visit(owner.secret, method, `/console/api${path}`)
      assert.strictEqual((yield* tab("GET", "/me")).status, 200)
      yield* owner.api("POST", "/sign-out")
      assert.strictEqual((yield* tab("GET", "/me")).status, 401)
      const again = yield* tab("POST", "/sign-out")
      assert.deepStrictEqual([again.status, code(again)], [401, "authentication_error"])
    }))

  it.effect("is not a key, and a key is not a session", () =>
    Effect.gen(function*() {
      const { key, owner, send } = yield* service
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: owner.secret })).status, 401)
      assert.strictEqual((yield* send("GET", "/console/api/me")).status, 401)
      assert.strictEqual(
        (yield* send("GET", "/admin/v1/workspaces", {
          key: null,
          headers: { ...OF_CONSOLE, cookie: `${COOKIE}=${owner.secret}` }
        })).status,
        401
      )
      const both = { headers: { cookie: `${COOKIE}=${owner.secret}` } }
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: "pk_live_x", ...both })).status, 401)
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: key.secret, ...both })).status, 200)
    }))
})

describe("Attempts to sign in", () => {
  it.effect("are limited per token, with the answer of an exhausted rate window", () =>
    Effect.gen(function*() {
      const { signIn } = yield* service
      const statuses = []
      for (let attempt = 0; attempt < 6; attempt++) statuses.push((yield* signIn("b".repeat(43))).status)
      assert.deepStrictEqual(statuses, [401, 401, 401, 401, 401, 429])
      const refused = yield* signIn("b".repeat(43))
      assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(refused.headers.get("retry-after"), "900")
      assert.deepInclude(refused.body as Json, { error_code: "rate_limit_exceeded", endpoint: "sign_in", status: 429 })
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* signIn("b".repeat(43))).status, 401)
    }))

  it.effect("that fail are limited per address, while a valid link still signs in from there", () =>
    Effect.gen(function*() {
      const { handle, linkFor } = yield* service
      const from = (address: string, token: string) =>
        handle(
          new Request(`${BASE_URL}/console/api/sign-in`, {
            method: "POST",
            headers: { ...OF_CONSOLE, "content-type": "application/json", "x-forwarded-for": crypto.randomUUID() },
            body: new TextEncoder().encode(JSON.stringify({ token }))
          }),
          address
        )
      const statuses = new Set<number>()
      for (let attempt = 0; attempt < 60; attempt++) {
        statuses.add((yield* from("192.0.2.1", crypto.randomUUID())).status)
      }
      assert.deepStrictEqual([...statuses], [401])
      assert.strictEqual((yield* from("192.0.2.1", crypto.randomUUID())).status, 429)
      assert.strictEqual((yield* from("192.0.2.2", crypto.randomUUID())).status, 401)
      for (let attempt = 0; attempt < 60; attempt++) yield* from(`2001:db8::${attempt}`, crypto.randomUUID())
      assert.strictEqual((yield* from("2001:db8::ffff", crypto.randomUUID())).status, 429)
      for (let people = 0; people < 70; people++) {
        assert.strictEqual((yield* from("192.0.2.1", tokenOf(yield* linkFor({})))).status, 200)
      }
    }))
})
