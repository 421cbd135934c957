// Identity: no invitation lets a person act as somebody else, or moves a person without consent.
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { newBrowser } from "./browser.ts"
import { startIdentityProvider } from "./identityProvider.ts"
import { type Environment, type RunningServer, startServer } from "./serverProcess.ts"

const ADMIN_TOKEN = "0123456789abcdef01234567"

const people = {
  cfo: { email: "cfo@acme.test", email_verified: true, name: "Carla" },
  stranger: { email: "stranger@evil.test", email_verified: true, name: "Stranger" },
  victim: { email: "victim@acme.test", email_verified: true, name: "Victor" }
}

const newEmail = () => `${crypto.randomUUID()}@acme.test`

interface Me {
  readonly user_id: string
  readonly account_id: string | null
  readonly email: string
  readonly email_proof: string
}

interface Listed {
  readonly invitation_id: string
  readonly workspace_id: string
  readonly workspace_name: string
  readonly kind: string
  readonly role: string
  readonly inviter: { readonly name: string; readonly email: string | null } | null
}

describe("Identity", () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  /** One server for invited people only, and one with sign-up. */
  let closed: RunningServer
  let open: RunningServer

  beforeAll(async () => {
    provider = await startIdentityProvider(people)
    const settings: Environment = { TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN, ...provider.settings }
    ;[closed, open] = await Promise.all([
      startServer([], settings),
      startServer([], { ...settings, TRIBUTARY_OIDC_SIGN_UP: "true" })
    ])
    provider.open([closed.url, open.url])
  })

  afterAll(async () => {
    provider.close()
    await Promise.all([closed.stop(), open.stop()])
  })

  const request = async (url: string, method: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  const operate = (server: RunningServer, method: string, path: string, body?: object) =>
    request(`${server.url}/admin/v1${path}`, method, { authorization: `Bearer ${ADMIN_TOKEN}` }, body)

  const ofConsole = { "x-tributary-console": "1", "sec-fetch-site": "same-origin" }

  /** The requests of a person's browser with a session. */
  const session = async ({ url }: RunningServer, secret: string) => {
    const cookie = { ...ofConsole, cookie: `tributary_session=${secret}` }
    const api = (method: string, path: string, body?: object) =>
      request(`${url}/console/api${path}`, method, cookie, body)
    return {
      api,
      publicly: (method: string, path: string, workspace: string, body?: object) =>
        request(`${url}${path}`, method, { ...cookie, "x-workspace-id": workspace }, body),
      me: (await api("GET", "/me")).body.user as Me,
      invitations: async () => (await api("GET", "/invitations")).body.invitations as ReadonlyArray<Listed>,
      workspaces: async () => (await api("GET", "/workspaces")).body.workspaces as ReadonlyArray<Listed>
    }
  }

  const viaProvider = async (who: keyof typeof people, server: RunningServer) => {
    provider.state.person = who
    const browser = newBrowser()
    const there = `${server.url}/console/api/provider`
    const { next } = await browser.visit(await browser.follow(there, `${there}/return`))
    assert.strictEqual(next, `${server.url}/console/`, who)
    return session(server, browser.jarOf(server.url).get("tributary_session")!)
  }

  const viaLink = async (server: RunningServer, link: string) => {
    const token = link.split("#token=")[1]
    const { headers } = await request(`${server.url}/console/api/sign-in`, "POST", ofConsole, { token })
    return session(server, /tributary_session=([^;]+)/.exec(headers.get("set-cookie")!)![1]!)
  }

  type Person = Awaited<ReturnType<typeof session>>

  const newWorkspace = async ({ api }: Person, name: string): Promise<string> =>
    (await api("POST", "/workspaces", { name })).body.workspace_id

  const invite = async ({ api }: Person, workspace: string, email: string, role = "member") =>
    (await api("POST", `/workspaces/${workspace}/invitations`, { email, role })).body as {
      readonly status: string
      readonly link: { readonly url: string } | null
    }

  const isMember = async ({ api }: Person, workspace: string) =>
    (await api("GET", `/workspaces/${workspace}/members`)).status === 200

  /** An account with an owner, a co-owner whom an invitation made, and a workspace to which the co-owner has no access. */
  const company = async () => {
    const account = await operate(closed, "POST", "/accounts", { name: "Acme", tier: "pro" })
    const { account_id } = account.body
    const opened = await operate(closed, "POST", "/sign-in-links", { account_id, email: newEmail() })
    const owner = await viaLink(closed, opened.body.url)
    assert.deepInclude(owner.me, { account_id, email_proof: "operator" })
    const [team, secret] = [await newWorkspace(owner, "Team"), await newWorkspace(owner, "Board only")]
    const { link } = await invite(owner, team, newEmail(), "owner")
    return { account_id, owner, team, secret, coOwner: await viaLink(closed, link!.url) }
  }

  it("an owner who opens the link of an invitation never becomes the invited person", async () => {
    const { coOwner, owner, secret, team } = await company()
    const ofCfo = await invite(coOwner, team, "cfo@acme.test")
    const impostor = await viaLink(closed, ofCfo.link!.url)
    assert.strictEqual(impostor.me.email_proof, "none")

    const invited = await invite(owner, secret, "cfo@acme.test")
    assert.strictEqual(invited.status, "invited")
    assert.isFalse(await isMember(impostor, secret))
    assert.deepStrictEqual(await impostor.invitations(), [])

    const cfo = await viaProvider("cfo", closed)
    assert.deepInclude(cfo.me, { email: "cfo@acme.test", email_proof: "openid", account_id: null })
    assert.notStrictEqual(cfo.me.user_id, impostor.me.user_id)
    const [asked] = await cfo.invitations()
    assert.deepInclude(asked, { workspace_name: "Board only", role: "member" })
    assert.isFalse(await isMember(cfo, secret))
    assert.strictEqual((await impostor.api("POST", `/invitations/${asked!.invitation_id}/accept`)).status, 404)
    await cfo.api("POST", `/invitations/${asked!.invitation_id}/accept`)
    assert.isTrue(await isMember(cfo, secret))
    assert.isFalse(await isMember(impostor, secret))

    // A user with the proven e-mail joins the next workspace at once.
    const third = await newWorkspace(owner, "Third")
    assert.deepInclude(await invite(owner, third, "cfo@acme.test"), { status: "joined", link: null })
    assert.isTrue(await isMember(cfo, third))
    assert.isFalse(await isMember(impostor, third))
  })

  /** A key that a person created in the console. */
  const newKey = async ({ api }: Person, workspace: string): Promise<string> =>
    (await api("POST", `/workspaces/${workspace}/api-keys`, { name: "Key", scopes: ["api:read", "api:write"] })).body
      .secret

  const withKey = (key: string, method: string, path: string, body?: object) =>
    request(`${closed.url}${path}`, method, { authorization: `Bearer ${key}` }, body)

  it("a key of a shared workspace creates and sees no other workspace, unless the account's owner created it", async () => {
    const { coOwner, owner, secret, team } = await company()
    const [theirs, owners] = [await newKey(coOwner, team), await newKey(owner, team)]
    const console = await coOwner.api("POST", "/workspaces", { name: "Mine" })
    const refused = await withKey(theirs, "POST", "/v1/workspaces", { name: "Mine" })
    assert.deepStrictEqual([console.status, refused.status], [403, 403])
    const listed = async (key: string) =>
      ((await withKey(key, "GET", "/v1/workspaces")).body.workspaces as ReadonlyArray<Listed>)
        .map(({ workspace_id }) => workspace_id)
    assert.deepStrictEqual(await listed(theirs), [team])
    assert.includeMembers(await listed(owners), [team, secret])

    const made = await withKey(owners, "POST", "/v1/workspaces", { name: "Made" })
    assert.strictEqual(made.status, 201)
    assert.includeMembers(await listed(made.body.api_key.secret), [team, secret, made.body.workspace_id])
  })

  it("whatever a key created expires, is suspended and is revoked with it, including tokens", async () => {
    const { owner, team } = await company()
    const soon = new Date(Date.now() + 60_000).toISOString()
    const body = { name: "Short", scopes: ["api:read", "api:write"], expires_at: soon }
    const root = (await owner.api("POST", `/workspaces/${team}/api-keys`, body)).body
    const child = (await withKey(root.secret, "POST", "/v1/workspaces", { name: "Child" })).body
    const grandchild = (await withKey(child.api_key.secret, "POST", "/v1/workspaces", { name: "Grandchild" })).body
    for (const { api_key } of [child, grandchild]) assert.strictEqual(Date.parse(api_key.expires_at), Date.parse(soon))
    const token = (await withKey(grandchild.api_key.secret, "POST", "/v1/tokens", { expires_in: 60 })).body.token
    const own = await newKey(owner, child.workspace_id)
    const keys: ReadonlyArray<string> = [root.secret, child.api_key.secret, grandchild.api_key.secret, token]
    const statuses = () => Promise.all(keys.map(async (key) => (await withKey(key, "GET", "/v1/usage/current")).status))
    assert.deepStrictEqual(await statuses(), [200, 200, 200, 200])

    await operate(closed, "PATCH", `/workspaces/${team}`, { suspended: true })
    assert.deepStrictEqual(await statuses(), [403, 403, 403, 403])
    await operate(closed, "PATCH", `/workspaces/${team}`, { suspended: false })
    assert.deepStrictEqual(await statuses(), [200, 200, 200, 200])

    await owner.api("DELETE", `/workspaces/${team}/api-keys/${root.key_id}`)
    assert.deepStrictEqual(await statuses(), [401, 401, 401, 401])
    // A person keeps what they created there.
    assert.strictEqual((await withKey(own, "GET", "/v1/usage/current")).status, 200)
  })

  it("no invited person can remove the account's owner, and the operator restores an account's owner", async () => {
    const { account_id, coOwner, owner, secret, team } = await company()
    const member = `/workspaces/${team}/members/${owner.me.user_id}`
    assert.strictEqual((await coOwner.api("DELETE", member)).status, 403)
    assert.strictEqual((await coOwner.api("PATCH", member, { role: "member" })).status, 403)

    await owner.api("DELETE", member)
    assert.isFalse(await isMember(owner, team))
    const restore = (body: object) => operate(closed, "POST", `/accounts/${account_id}/owner`, body)
    assert.strictEqual((await restore({})).body.user_id, owner.me.user_id)
    assert.isTrue(await isMember(owner, team))

    const { body } = await restore({ email: "next@acme.test" })
    const link = await operate(closed, "POST", "/sign-in-links", { user_id: body.user_id })
    const next = await viaLink(closed, link.body.url)
    assert.deepInclude(next.me, { account_id, email: "next@acme.test", email_proof: "operator" })
    for (const workspace of [team, secret]) assert.isTrue(await isMember(next, workspace))
    // The previous owner stays a member of shared workspaces, without rights in the account.
    assert.strictEqual((await owner.api("POST", "/workspaces", { name: "Mine" })).status, 403)
    assert.strictEqual((await coOwner.api("DELETE", member)).status, 200)
    assert.strictEqual((await restore({ email: "no address" })).status, 422)
  })

  it("the audit log has changes of connectors and connections, and new members, with their actors", async () => {
    const { coOwner, team } = await company()
    const key = await newKey(coOwner, team)
    const connector = { name: "Wiki", source_name: "wiki" }
    const { connector_id } = (await withKey(key, "POST", "/v1/custom-connectors", connector)).body
    await withKey(key, "PATCH", `/v1/custom-connectors/${connector_id}`, { name: "Other" })
    await withKey(key, "DELETE", `/v1/custom-connectors/${connector_id}`)
    await withKey(key, "PATCH", "/v1/knowledge/settings", {
      temporal_settings: { start: { type: "relative", days: 30 }, end: null }
    })
    const { entries } = (await coOwner.publicly("GET", "/v1/audit-log", team)).body as {
      readonly entries: ReadonlyArray<{ readonly action: string; readonly actor: { readonly type: string } }>
    }
    const actions = entries.filter(({ actor }) => actor.type === "api_key").map(({ action }) => action)
    assert.includeMembers(actions, ["connector.deactivated", "connector.changed", "connector.created"])
    assert.includeMembers(entries.map(({ action }) => action), ["member.joined", "knowledge_range.changed"])
  })

  it("a stranger's invitation does not capture a victim's first sign-in", async () => {
    const stranger = await viaProvider("stranger", open)
    const [personal] = await stranger.workspaces()
    await operate(open, "PATCH", `/workspaces/${personal!.workspace_id}`, { limits: { shared_workspaces: 5 } })
    const trap = await newWorkspace(stranger, "Acme finance")
    await invite(stranger, trap, "victim@acme.test", "owner")

    const victim = await viaProvider("victim", open)
    assert.notStrictEqual(victim.me.account_id, stranger.me.account_id)
    const own = await victim.workspaces()
    assert.deepStrictEqual(own.map(({ kind, role }) => [kind, role]), [["personal", "owner"]])
    const [asked] = await victim.invitations()
    assert.deepInclude(asked, { workspace_name: "Acme finance" })
    assert.deepStrictEqual(asked!.inviter, { name: "Stranger", email: "stranger@evil.test" })
    assert.isFalse(await isMember(victim, trap))

    await victim.api("POST", `/invitations/${asked!.invitation_id}/accept`)
    assert.isTrue(await isMember(victim, trap))
    // A person who accepts keeps their account, and gets no rights in the other one.
    assert.strictEqual((await victim.api("GET", "/me")).body.user.account_id, victim.me.account_id)
    const made = await victim.publicly("POST", "/v1/workspaces", trap, { name: "Mine" })
    assert.strictEqual(made.status, 403)
    assert.strictEqual((await victim.publicly("GET", "/v1/usage/current", own[0]!.workspace_id)).status, 200)
  })
})
