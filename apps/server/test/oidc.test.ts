/** Signing in by OpenID Connect, with a running provider. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { newBrowser } from "./browser.ts"
import { CLIENT_SECRET, startIdentityProvider } from "./identityProvider.ts"
import { type Environment, type RunningServer, startServer } from "./serverProcess.ts"

const ADMIN_TOKEN = "0123456789abcdef01234567"

/** The people that the provider knows, by subject. */
const people = {
  ada: { email: "Ada@Example.com", email_verified: true, name: "Ada" },
  eve: { email: "ada@example.com", email_verified: false, name: "Eve" },
  max: { email: "max@example.com", email_verified: true, name: "Max" },
  owner: { email: "Owner@example.com", email_verified: true, name: "Owner" }
}

describe("OpenID Connect", () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  let server: RunningServer
  let open: RunningServer

  beforeAll(async () => {
    provider = await startIdentityProvider(people)
    const settings: Environment = { TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN, ...provider.settings }
    const servers = await Promise.all([
      startServer([], settings),
      startServer([], { ...settings, TRIBUTARY_OIDC_SIGN_UP: "true" })
    ])
    ;[server, open] = servers
    provider.open(servers.map(({ url }) => url))
  })

  afterAll(async () => {
    provider.close()
    await Promise.all([server.stop(), open.stop()])
  })

  const there = (url: string) => `${url}/console/api/provider`

  const signIn = async (who: string, { url }: RunningServer = server) => {
    provider.state.person = who
    const browser = newBrowser()
    const back = await browser.follow(there(url), `${there(url)}/return`)
    const { next: at } = await browser.visit(back)
    const secret = browser.jarOf(url).get("tributary_session")
    const me = await fetch(`${url}/console/api/me`, { headers: { cookie: `tributary_session=${secret}` } })
    const { user } = await me.json() as {
      user?: { user_id: string; account_id: string; email: string; name: string }
    }
    return { browser, back, at, user }
  }

  const linkFor = async (email: string) => {
    const response = await fetch(`${server.url}/admin/v1/sign-in-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ email })
    })
    return await response.json() as { user_id: string }
  }

  it("is offered if the settings name a provider", async () => {
    const ways = await fetch(`${server.url}/console/api/sign-in`)
    assert.deepStrictEqual(await ways.json(), { provider: true })
    const { next, response } = await newBrowser().visit(there(server.url))
    const asked = new URL(next!)
    assert.strictEqual(asked.origin, provider.issuer)
    assert.strictEqual(asked.searchParams.get("code_challenge_method"), "S256")
    assert.strictEqual(asked.searchParams.get("response_type"), "code")
    assert.strictEqual(asked.searchParams.get("redirect_uri"), `${server.url}/console/api/provider/return`)
    assert.match(response.headers.get("set-cookie")!, /^tributary_provider=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; /)
    assert.notInclude(next!, CLIENT_SECRET)
  })

  it("refuses a person without an invitation, and an unverified e-mail", async () => {
    const { user_id } = await linkFor("ada@example.com")
    for (const who of ["max", "eve"]) {
      const { at, user } = await signIn(who)
      assert.strictEqual(at, `${server.url}/console/sign-in#error=refused`)
      assert.isUndefined(user)
    }
    assert.match(user_id, /^[0-9a-f-]{36}$/)
  })

  it("recognizes a user by the verified e-mail at first, and then by issuer and subject", async () => {
    const { user_id } = await linkFor("ada@example.com")
    const first = await signIn("ada")
    assert.strictEqual(first.at, `${server.url}/console/`)
    assert.strictEqual(first.user?.user_id, user_id)
    people.ada = { ...people.ada, email: "ada@elsewhere.example", email_verified: false }
    assert.strictEqual((await signIn("ada")).user?.user_id, user_id)
  })

  it("accepts an answer once, and only from the browser that asked", async () => {
    const { back, browser } = await signIn("ada")
    const refused = `${server.url}/console/sign-in#error=refused`
    assert.strictEqual((await browser.visit(back)).next, refused)
    assert.strictEqual((await newBrowser().visit(back)).next, refused)
    const other = newBrowser()
    await other.visit(there(server.url))
    const answer = await other.visit(back)
    assert.strictEqual(answer.next, refused)
    assert.isNull(answer.response.headers.get("set-cookie"))
    assert.strictEqual(
      (await other.visit(`${server.url}/console/api/provider/return?next=https://evil.example`)).next,
      refused
    )
  })

  it("signs in the owner of an account by the e-mail that the operator entered for it", async () => {
    const response = await fetch(`${server.url}/admin/v1/accounts`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Acme", email: "owner@example.com" })
    })
    const { account_id } = await response.json() as { account_id: string }
    const { at, user } = await signIn("owner")
    assert.strictEqual(at, `${server.url}/console/`)
    assert.deepInclude(user, { account_id, email: "owner@example.com" })
  })

  it("says that the provider is unavailable if it fails, not that the person is refused", async () => {
    provider.state.isFailing = true
    try {
      assert.strictEqual((await signIn("ada")).at, `${server.url}/console/sign-in#error=unavailable`)
    } finally {
      provider.state.isFailing = false
    }
  })

  it("creates an account for a stranger if that is allowed", async () => {
    const { user } = await signIn("max", open)
    assert.deepInclude(user, { email: "max@example.com", name: "Max" })
    assert.strictEqual((await signIn("max", open)).user?.user_id, user?.user_id)
  })
})
