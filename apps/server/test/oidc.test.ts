/** Signing in by OpenID Connect, against a provider that runs. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { CLIENT_SECRET, startIdentityProvider } from "./identityProvider.ts"
import { type Environment, type RunningServer, startServer } from "./serverProcess.ts"

const ADMIN_TOKEN = "0123456789abcdef01234567"

/** The people that the provider knows, by subject. */
const people = {
  ada: { email: "Ada@Example.com", email_verified: true, name: "Ada" },
  eve: { email: "ada@example.com", email_verified: false, name: "Eve" },
  max: { email: "max@example.com", email_verified: true, name: "Max" }
}

/** A browser that follows redirects, and keeps the cookies of each host. */
const newBrowser = () => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const visit = async (url: string) => {
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, { redirect: "manual", headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line)!
      if (/expires=Thu, 01 Jan 1970|Max-Age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get("location")
    return { status: response.status, response, next: location === null ? null : new URL(location, url).href }
  }
  /** Goes on until an address is reached that begins so, and says which it is. */
  const follow = async (url: string, until: string): Promise<string> => {
    let at = url
    for (let step = 0; step < 20; step++) {
      if (at.startsWith(until)) return at
      const { next, status } = await visit(at)
      if (next === null) throw new Error(`${at} leads nowhere: ${status}`)
      at = next
    }
    throw new Error(`no end of redirects: ${at}`)
  }
  return { visit, follow, jarOf }
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
    const { user } = await me.json() as { user?: { user_id: string; email: string; name: string } }
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

  it("is offered where the settings name a provider", async () => {
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

  it("signs in nobody whom nobody has invited, and takes no e-mail that is not verified", async () => {
    const { user_id } = await linkFor("ada@example.com")
    for (const who of ["max", "eve"]) {
      const { at, user } = await signIn(who)
      assert.strictEqual(at, `${server.url}/console/sign-in#error=refused`)
      assert.isUndefined(user)
    }
    assert.match(user_id, /^[0-9a-f-]{36}$/)
  })

  it("knows a user by the verified e-mail at first, and then by issuer and subject", async () => {
    const { user_id } = await linkFor("ada@example.com")
    const first = await signIn("ada")
    assert.strictEqual(first.at, `${server.url}/console/`)
    assert.strictEqual(first.user?.user_id, user_id)
    people.ada = { ...people.ada, email: "ada@elsewhere.example", email_verified: false }
    assert.strictEqual((await signIn("ada")).user?.user_id, user_id)
  })

  it("takes an answer once, and from the browser that asked", async () => {
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

  it("gives a stranger an account where that is allowed", async () => {
    const { user } = await signIn("max", open)
    assert.deepInclude(user, { email: "max@example.com", name: "Max" })
    assert.strictEqual((await signIn("max", open)).user?.user_id, user?.user_id)
  })
})
