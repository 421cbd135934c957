// Operations that only members of a workspace may do (decisions 10).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Browser, CONSOLE, OF_CONSOLE } from "../support/console.ts"
import { team } from "../support/team.ts"
import { ADMIN_TOKEN, type Answer, BASE_URL, code, field, type Sent } from "../support/wire.ts"

type Json = Readonly<Record<string, unknown>>

const list = (answer: Answer, name: string) => field<ReadonlyArray<Json>>(answer, name)

const denied = (answer: Answer, message?: string) =>
  assert.deepStrictEqual([answer.status, code(answer)], [403, "permission_denied"], message)

/** Every operation on a workspace, and who it takes. */
const OPERATIONS: ReadonlyArray<readonly ["owner" | "member", string, string, unknown?]> = [
  ["owner", "PATCH", "", { name: "New" }],
  ["member", "GET", "/members"],
  ["owner", "PATCH", "/members/USER", { role: "member" }],
  ["owner", "DELETE", "/members/USER"],
  ["owner", "GET", "/invitations"],
  ["owner", "POST", "/invitations", { email: "x@example.com", role: "member" }],
  ["owner", "POST", "/invitations/ID/link"],
  ["owner", "DELETE", "/invitations/ID"],
  ["owner", "GET", "/api-keys"],
  ["owner", "POST", "/api-keys", { name: "Key", scopes: ["api:read"] }],
  ["owner", "GET", "/api-keys/traffic"],
  ["owner", "DELETE", "/api-keys/ID"],
  ["member", "GET", "/latest-events"],
  ["member", "GET", "/held-deletions"],
  ["member", "POST", "/timeline", { start: null, end: null }]
]

const trying = (browser: Browser, workspaceId: string, [, method, path, body]: typeof OPERATIONS[number]) => {
  const target = path.replace(/ID|USER/, crypto.randomUUID())
  return browser.api(method, `/workspaces/${workspaceId}${target}`, body === undefined ? {} : { body })
}

const IN_WORKSPACE = "/console/api/workspaces/:workspace_id"

/** Those that sign in. */
const WITHOUT_SESSION = ["/sign-in", "/sign-in/invitation"].map((path) => `/console/api${path}`)

describe("An operation of the console on a workspace", () => {
  it("has a row", () => {
    const all = CONSOLE.filter(({ path }) => path.startsWith(IN_WORKSPACE)).map(({ method, path }) =>
      `${method} ${path.slice(IN_WORKSPACE.length).replace(":user_id", "USER").replace(/:\w+/, "ID")}`
    )
    assert.deepStrictEqual(OPERATIONS.map(([, method, path]) => `${method} ${path}`).sort(), all.sort())
  })

  it.effect("needs its role in that workspace", () =>
    Effect.gen(function*() {
      const { blue, blueOwner, owner, personal, red, redMember, redOwner } = yield* team
      for (const operation of OPERATIONS) {
        const name = operation.slice(0, 3).join(" ")
        const [role] = operation
        const allowed = [yield* trying(redOwner, red, operation), yield* trying(owner, red, operation)]
        if (role === "member") allowed.push(yield* trying(redMember, red, operation))
        for (const { status, text } of allowed) assert.include([200, 201, 404, 422], status, `${name}: ${text}`)
        if (role === "owner") denied(yield* trying(redMember, red, operation), name)
        for (const browser of [redOwner, redMember]) {
          for (const elsewhere of [blue, personal, crypto.randomUUID(), "x"]) {
            denied(yield* trying(browser, elsewhere, operation), `${name} in ${elsewhere}`)
          }
        }
        denied(yield* trying(blueOwner, red, operation), name)
      }
    }))

  it.effect("takes a session", () =>
    Effect.gen(function*() {
      const { key, red, send } = yield* team
      for (const [, method, path, body] of OPERATIONS) {
        for (const sent of [{ key: null }, { key: key.secret }, { key: ADMIN_TOKEN }] satisfies ReadonlyArray<Sent>) {
          const target = `/console/api/workspaces/${red}${path.replace(/ID|USER/, crypto.randomUUID())}`
          const answer = yield* send(method, target, {
            ...sent,
            headers: OF_CONSOLE,
            ...(body === undefined ? {} : { body })
          })
          assert.deepStrictEqual([answer.status, code(answer)], [401, "authentication_error"], `${method} ${path}`)
        }
      }
      for (const { method, path } of CONSOLE.filter(({ path }) => !WITHOUT_SESSION.includes(path))) {
        assert.strictEqual((yield* send(method, path, { key: null, headers: OF_CONSOLE })).status, 401, path)
      }
    }))
})

describe("Workspaces", () => {
  it.effect("are listed for their members, with their role, page by page", () =>
    Effect.gen(function*() {
      const { blue, owner, personal, red, redMember } = yield* team
      const of = (answer: Answer) => list(answer, "workspaces").map(({ role, workspace_id }) => [workspace_id, role])
      const first = yield* owner.api("GET", "/workspaces?limit=2")
      assert.deepStrictEqual(of(first), [[personal, "owner"], [red, "owner"]])
      const rest = yield* owner.api("GET", `/workspaces?cursor=${field<string>(first, "next_cursor")}`)
      assert.deepStrictEqual([of(rest), field(rest, "next_cursor")], [[[blue, "owner"]], null])
      assert.deepStrictEqual(of(yield* redMember.api("GET", "/workspaces")), [[red, "member"]])
      assert.strictEqual((yield* owner.api("GET", "/workspaces?cursor=x")).status, 422)
    }))

  it.effect("are created by the account's owner within the plan, and renamed by one of their owners", () =>
    Effect.gen(function*() {
      const { newWorkspace, operate, owner, personal, red, redOwner } = yield* team
      denied(yield* redOwner.api("POST", "/workspaces", { body: { name: "Mine" } }))
      const renamed = yield* redOwner.api("PATCH", `/workspaces/${red}`, { body: { name: "Rouge" } })
      assert.deepInclude(renamed.body as Json, { workspace_id: red, name: "Rouge", kind: "shared" })
      yield* operate("PATCH", `/workspaces/${personal}`, { body: { limits: { shared_workspaces: 3 } } })
      yield* newWorkspace("Third")
      const fourth = yield* owner.api("POST", "/workspaces", { body: { name: "Fourth" } })
      assert.deepStrictEqual([fourth.status, code(fourth)], [422, "unprocessable_entity"])
    }))

  it.effect("count against the plan only for the account's owner", () =>
    Effect.gen(function*() {
      const { newWorkspace, operate, owner, personal, redOwner } = yield* team
      const allowance = (browser: Browser) =>
        Effect.map(browser.api("GET", "/allowance"), (answer) => field<Json | null>(answer, "shared_workspaces"))
      assert.deepStrictEqual(yield* allowance(owner), { used: 2, limit: 10 })
      yield* newWorkspace("Third")
      assert.deepStrictEqual(yield* allowance(owner), { used: 3, limit: 10 })
      yield* operate("PATCH", `/workspaces/${personal}`, { body: { limits: { shared_workspaces: null } } })
      assert.deepStrictEqual(yield* allowance(owner), { used: 3, limit: null })
      assert.isNull(yield* allowance(redOwner))
    }))

  it.effect("belong to the account's owner, even if a key or an operator creates them", () =>
    Effect.gen(function*() {
      const { account, operate, owner, send } = yield* team
      const byKey = yield* send("POST", "/v1/workspaces", { body: { name: "By key" } })
      const body = { account_id: account.account_id, name: "By operator" }
      const byOperator = yield* operate("POST", "/workspaces", { body })
      const ids = list(yield* owner.api("GET", "/workspaces"), "workspaces").map(({ workspace_id }) => workspace_id)
      assert.includeMembers(ids, [field(byKey, "workspace_id"), field(byOperator, "workspace_id")])
    }))

  it.effect("show nothing of their content while they are suspended, and a suspended account creates none", () =>
    Effect.gen(function*() {
      const { newKey, operate, owner, personal, red, redMember, send } = yield* team
      const { secret } = yield* newKey(["workspaces:write"], red)
      const body = { name: "Another" }
      const suspend = (workspaceId: string, suspended: boolean) =>
        operate("PATCH", `/workspaces/${workspaceId}`, { body: { suspended } })
      const range = { start: { type: "relative", days: 1 }, end: { type: "relative", days: 1 } }
      const content = [
        redMember.api("GET", `/workspaces/${red}/latest-events`),
        redMember.api("GET", `/workspaces/${red}/held-deletions`),
        redMember.api("POST", `/workspaces/${red}/timeline`, { body: range })
      ]
      for (const reading of content) assert.strictEqual((yield* reading).status, 200)
      yield* suspend(red, true)
      for (const reading of content) denied(yield* reading)
      yield* suspend(red, false)

      yield* suspend(personal, true)
      denied(yield* owner.api("POST", "/workspaces", { body }))
      denied(yield* owner.visit("POST", "/v1/workspaces", { body, headers: { "x-workspace-id": red } }))
      denied(yield* send("POST", "/v1/workspaces", { body, key: secret }))
      yield* suspend(personal, false)
      assert.strictEqual((yield* owner.api("POST", "/workspaces", { body })).status, 201)
    }))

  it.effect("are erased with their people, and an account with all of its people", () =>
    Effect.gen(function*() {
      const { account, blueOwner, operate, owner, red, redMember } = yield* team
      yield* operate("DELETE", `/workspaces/${red}`)
      assert.strictEqual((yield* redMember.api("GET", "/me")).status, 401)
      assert.strictEqual((yield* owner.api("GET", "/me")).status, 200)
      denied(yield* owner.api("GET", `/workspaces/${red}/members`))
      yield* operate("DELETE", `/accounts/${account.account_id}`)
      for (const each of [owner, blueOwner]) assert.strictEqual((yield* each.api("GET", "/me")).status, 401)
    }))
})

describe("Members", () => {
  it.effect("are listed, get another role and are removed, at once", () =>
    Effect.gen(function*() {
      const { owner, red, redMember, redOwner } = yield* team
      const members = yield* redMember.api("GET", `/workspaces/${red}/members`)
      assert.deepStrictEqual(list(members, "members").map(({ email, role, user_id }) => [user_id, email, role]), [
        [owner.user_id, null, "owner"],
        [redOwner.user_id, "red.owner@example.com", "owner"],
        [redMember.user_id, "red.member@example.com", "member"]
      ])
      const path = `/workspaces/${red}/members/${redMember.user_id}`
      yield* redOwner.api("PATCH", path, { body: { role: "owner" } })
      assert.strictEqual((yield* redMember.api("GET", `/workspaces/${red}/api-keys`)).status, 200)
      yield* redOwner.api("PATCH", path, { body: { role: "member" } })
      denied(yield* redMember.api("GET", `/workspaces/${red}/api-keys`))
      const removed = yield* redOwner.api("DELETE", path)
      assert.deepStrictEqual(removed.body, { status: "removed", user_id: redMember.user_id })
      assert.strictEqual((yield* redMember.api("GET", "/me")).status, 401)
      assert.strictEqual((yield* redOwner.api("DELETE", path)).status, 404)
      assert.strictEqual((yield* redOwner.api("PATCH", path, { body: { role: "admin" } })).status, 422)
    }))

  it.effect("cannot get the role of the account's owner, and nobody can replace the owner", () =>
    Effect.gen(function*() {
      const { owner, red, redOwner } = yield* team
      const path = `/workspaces/${red}/members/${owner.user_id}`
      denied(yield* redOwner.api("DELETE", path))
      denied(yield* redOwner.api("PATCH", path, { body: { role: "member" } }))
      assert.strictEqual((yield* owner.api("GET", `/workspaces/${red}/api-keys`)).status, 200)
    }))

  it.effect("always include an owner", () =>
    Effect.gen(function*() {
      const { owner, personal, red, redOwner } = yield* team
      assert.strictEqual((yield* owner.api("DELETE", `/workspaces/${red}/members/${owner.user_id}`)).status, 200)
      for (const [browser, workspace] of [[redOwner, red], [owner, personal]] as const) {
        const path = `/workspaces/${workspace}/members/${browser.user_id}`
        for (
          const answer of [
            yield* browser.api("DELETE", path),
            yield* browser.api("PATCH", path, { body: { role: "member" } })
          ]
        ) {
          assert.deepStrictEqual([answer.status, code(answer)], [422, "unprocessable_entity"])
        }
      }
    }))
})

describe("An invitation", () => {
  it.effect("shows its link once, lasts a week, and gets a new link while it is open", () =>
    Effect.gen(function*() {
      const { browser, red, redOwner } = yield* team
      const path = `/workspaces/${red}/invitations`
      const made = yield* redOwner.api("POST", path, { body: { email: "New@Example.com", role: "member" } })
      assert.strictEqual(made.status, 201)
      const invitation = field<Json>(made, "invitation")
      assert.deepInclude(invitation, {
        email: "new@example.com",
        role: "member",
        created_by: { type: "user", id: redOwner.user_id },
        expires_at: "1970-01-08T00:00:00.000Z"
      })
      const listed = yield* redOwner.api("GET", path)
      assert.deepStrictEqual(list(listed, "invitations"), [invitation])
      assert.notInclude(listed.text, "token")
      yield* TestClock.adjust("15 minutes")
      const renewed = yield* redOwner.api("POST", `${path}/${invitation["invitation_id"]}/link`)
      assert.isTrue(field<string>(renewed, "url").startsWith(`${BASE_URL}/console/join#token=`))
      assert.strictEqual((yield* (yield* browser(field(renewed, "url"))).api("GET", "/me")).status, 200)
      assert.deepStrictEqual(list(yield* redOwner.api("GET", path), "invitations"), [])
      assert.strictEqual((yield* redOwner.api("POST", `${path}/${invitation["invitation_id"]}/link`)).status, 404)
    }))

  it.effect("that is revoked stops working", () =>
    Effect.gen(function*() {
      const { blue, blueOwner, red, redOwner, signIn } = yield* team
      const path = `/workspaces/${red}/invitations`
      const made = yield* redOwner.api("POST", path, { body: { email: "new@example.com", role: "owner" } })
      const id = field<{ readonly invitation_id: string }>(made, "invitation").invitation_id
      const token = field<{ readonly url: string }>(made, "link").url.split("token=")[1]!
      assert.strictEqual((yield* blueOwner.api("DELETE", `/workspaces/${blue}/invitations/${id}`)).status, 404)
      assert.strictEqual((yield* redOwner.api("DELETE", `${path}/${id}`)).status, 200)
      assert.strictEqual((yield* signIn(token)).status, 401)
    }))

  it.effect("of a user of the account with the proven e-mail adds that user, and nobody else", () =>
    Effect.gen(function*() {
      const { blue, blueOwner, browser, linkFor, redMember } = yield* team
      const path = `/workspaces/${blue}/invitations`
      const body = { email: "RED.member@example.com", role: "member" }
      const unproven = yield* blueOwner.api("POST", path, { body })
      assert.strictEqual(field(unproven, "status"), "invited")
      denied(yield* redMember.api("GET", `/workspaces/${blue}/members`))
      const proven = yield* browser(yield* linkFor({ email: "red.member@example.com" }))
      assert.strictEqual(proven.user_id, redMember.user_id)
      const answer = yield* blueOwner.api("POST", path, { body })
      assert.deepStrictEqual([answer.status, answer.body], [201, { status: "joined", invitation: null, link: null }])
      assert.strictEqual((yield* proven.api("GET", `/workspaces/${blue}/members`)).status, 200)
      assert.strictEqual((yield* blueOwner.api("POST", path, { body })).status, 422)
    }))

  it.effect("is not available for a personal workspace", () =>
    Effect.gen(function*() {
      const { owner, personal } = yield* team
      const body = { email: "x@example.com", role: "member" }
      const answer = yield* owner.api("POST", `/workspaces/${personal}/invitations`, { body })
      assert.deepStrictEqual([answer.status, code(answer)], [422, "unprocessable_entity"])
    }))
})

describe("API keys in the console", () => {
  it.effect("are created by a person, shown once, counted by day and revoked in their workspace", () =>
    Effect.gen(function*() {
      const { blue, owner, red, redOwner, send } = yield* team
      const path = `/workspaces/${red}/api-keys`
      const made = yield* redOwner.api("POST", path, { body: { name: "CI", scopes: ["api:read"] } })
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(field(made, "created_by"), { type: "user", id: redOwner.user_id })
      const [id, secret] = [field<string>(made, "key_id"), field<string>(made, "secret")]
      for (let request = 0; request < 3; request++) yield* send("GET", "/v1/usage/current", { key: secret })
      yield* TestClock.adjust("1 minute")
      const traffic = yield* redOwner.api("GET", `${path}/traffic`)
      assert.deepStrictEqual(traffic.body, { traffic: [{ key_id: id, day: "1970-01-01", requests: 3 }] })
      assert.deepStrictEqual((yield* owner.api("GET", `/workspaces/${blue}/api-keys/traffic`)).body, { traffic: [] })
      const listed = yield* redOwner.api("GET", path)
      assert.deepStrictEqual(list(listed, "api_keys").map(({ key_id }) => key_id), [id])
      assert.notInclude(listed.text, secret)
      assert.strictEqual((yield* owner.api("DELETE", `/workspaces/${blue}/api-keys/${id}`)).status, 404)
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: secret })).status, 200)
      assert.strictEqual((yield* redOwner.api("DELETE", `${path}/${id}`)).status, 200)
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: secret })).status, 401)
    }))

  it.effect("are refused if they could not be used any more", () =>
    Effect.gen(function*() {
      const { red, redOwner } = yield* team
      const body = { name: "CI", scopes: ["api:read"], expires_at: "1970-01-01T00:00:00Z" }
      const late = yield* redOwner.api("POST", `/workspaces/${red}/api-keys`, { body })
      const [problem] = field<ReadonlyArray<Json>>(late, "detail")
      assert.deepStrictEqual([late.status, problem!["loc"]], [422, ["body", "expires_at"]])
      assert.deepStrictEqual(list(yield* redOwner.api("GET", `/workspaces/${red}/api-keys`), "api_keys"), [])
    }))
})

describe("A session on the public API", () => {
  const inWorkspace = (browser: Browser, workspaceId: string, method: string, path: string, sent: Sent = {}) =>
    browser.visit(method, path, { ...sent, headers: { "x-workspace-id": workspaceId } })

  it.effect("acts as its user in the given workspace", () =>
    Effect.gen(function*() {
      const { blue, red, redMember } = yield* team
      const usage = yield* inWorkspace(redMember, red.toUpperCase(), "GET", "/v1/usage/current")
      assert.strictEqual(field(usage, "workspace_id"), red)
      const body = { name: "Notes", source_name: "notes" }
      const made = yield* inWorkspace(redMember, red, "POST", "/v1/custom-connectors", { body })
      assert.deepStrictEqual(field(made, "created_by"), { type: "user", id: redMember.user_id })
      for (const elsewhere of [blue, crypto.randomUUID(), "x", ""]) {
        denied(yield* inWorkspace(redMember, elsewhere, "GET", "/v1/usage/current"), elsewhere)
      }
      denied(yield* redMember.visit("GET", "/v1/usage/current"))
    }))

  it.effect("has the scopes of its role: only the account's owner creates workspaces, and keys that may", () =>
    Effect.gen(function*() {
      const { blue, owner, red, redMember, redOwner } = yield* team
      const make = (browser: Browser) => inWorkspace(browser, red, "POST", "/v1/workspaces", { body: { name: "N" } })
      for (const browser of [redMember, redOwner]) denied(yield* make(browser))
      assert.strictEqual((yield* make(owner)).status, 201)
      const seen = (browser: Browser) =>
        Effect.map(
          inWorkspace(browser, red, "GET", "/v1/workspaces"),
          (answer) => list(answer, "workspaces").map(({ workspace_id }) => workspace_id)
        )
      // Names of workspaces are confidential, too.
      assert.deepStrictEqual(yield* seen(redMember), [red])
      assert.includeMembers(yield* seen(owner), [red, blue])
    }))

  it.effect("is refused in a suspended workspace, and as soon as its user is no member", () =>
    Effect.gen(function*() {
      const { operate, owner, red, redMember, redOwner } = yield* team
      const use = (browser: Browser) => inWorkspace(browser, red, "GET", "/v1/usage/current")
      yield* operate("PATCH", `/workspaces/${red}`, { body: { suspended: true } })
      denied(yield* use(redOwner))
      yield* operate("PATCH", `/workspaces/${red}`, { body: { suspended: false } })
      assert.strictEqual((yield* use(owner)).status, 200)
      assert.strictEqual((yield* use(redMember)).status, 200)
      yield* redOwner.api("DELETE", `/workspaces/${red}/members/${redMember.user_id}`)
      assert.isAbove((yield* use(redMember)).status, 400)
    }))
})
