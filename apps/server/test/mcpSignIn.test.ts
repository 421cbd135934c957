/** Assistants that sign in their user, with the official clients and a running provider, without keys. */
import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { connect } from "../../../packages/http/test/support/assistant.ts"
import { newBrowser } from "./browser.ts"
import { startIdentityProvider } from "./identityProvider.ts"
import { type RunningServer, startServer } from "./serverProcess.ts"

const people = {
  max: { email: "max@example.com", email_verified: true, name: "Max" },
  eve: { email: "eve@example.com", email_verified: true, name: "Eve" }
}

const RETURN = "http://127.0.0.1:9/return"

interface Kept {
  client?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  verifier?: string
  sentTo?: URL
}

/** The state of an assistant's sign-in, and the address for the browser. */
const newMemory = () => {
  const kept: Kept = {}
  return {
    kept,
    provider: {
      redirectUrl: RETURN,
      clientMetadata: {
        client_name: "Assistant",
        redirect_uris: [RETURN],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"]
      },
      clientInformation: () => kept.client,
      saveClientInformation: (client: OAuthClientInformationMixed) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens: OAuthTokens) => void (kept.tokens = tokens),
      redirectToAuthorization: (url: URL) => void (kept.sentTo = url),
      saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier!
    }
  }
}

describe("An assistant that signs in", () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  let server: RunningServer

  beforeAll(async () => {
    provider = await startIdentityProvider(people)
    server = await startServer([], { ...provider.settings, TRIBUTARY_OIDC_SIGN_UP: "true" })
    provider.open([server.url])
  })

  afterAll(async () => {
    provider.close()
    await server.stop()
  })

  const signInToConsole = async (who: keyof typeof people) => {
    provider.state.person = who
    const browser = newBrowser()
    const there = `${server.url}/console/api/provider`
    const back = await browser.follow(there, `${there}/return`)
    await browser.visit(back)
    const secret = browser.jarOf(server.url).get("tributary_session")
    const me = await fetch(`${server.url}/console/api/me`, { headers: { cookie: `tributary_session=${secret}` } })
    assert.strictEqual(me.status, 200)
  }

  /** A new transport, and the authorization code. */
  const signedIn = async (line: "v1" | "v2", who: keyof typeof people, scope = "openid") => {
    const { kept, provider: authProvider } = newMemory()
    const endpoint = new URL(`${server.url}/mcp`)
    const open = () => {
      if (line === "v1") {
        const transport = new HttpV1(endpoint, { authProvider })
        return {
          connect: () => connect.v1(transport),
          finish: (back: URLSearchParams) => transport.finishAuth(back.get("code")!)
        }
      }
      const transport = new HttpV2(endpoint, { authProvider })
      return { connect: () => connect.v2(transport), finish: (back: URLSearchParams) => transport.finishAuth(back) }
    }
    const first = open()
    const refused = await first.connect().then(() => "connected", (error: unknown) => String(error))
    assert.match(refused, /unauthorized/i)
    assert.strictEqual(kept.sentTo?.searchParams.get("resource"), `${server.url}/mcp`)
    assert.strictEqual(kept.sentTo?.searchParams.get("code_challenge_method"), "S256")
    provider.state.person = who
    kept.sentTo!.searchParams.set("scope", scope)
    const back = await newBrowser().follow(kept.sentTo!.href, RETURN)
    const parameters = new URL(back).searchParams
    assert.isTrue(parameters.has("code"), back)
    await first.finish(parameters)
    return { kept, connect: () => open().connect() }
  }

  it.each(["v1", "v2"] as const)(
    "finds out where, comes back with a token, and uses its user's workspace (%s)",
    async (line) => {
      await signInToConsole("max")
      const program = await signedIn(line, "max")
      const assistant = await program.connect()
      assert.include((await assistant.tools()).map(({ name }) => name), "search")
      assert.deepStrictEqual((await assistant.call("search", { query: "deploys" })).structuredContent, { results: [] })
      await assistant.close()

      const [header, claims, signature] = program.kept.tokens!.access_token.split(".") as [string, string, string]
      assert.strictEqual(JSON.parse(Buffer.from(claims, "base64url").toString()).aud, `${server.url}/mcp`)
      const statusOf = async (token: string, path = "/mcp") => {
        const response = await fetch(server.url + path, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream"
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
        })
        return response.status
      }
      const token = `${header}.${claims}.${signature}`
      assert.strictEqual(await statusOf(token), 200)
      assert.strictEqual(await statusOf(`${header}.${claims}.${"A".repeat(signature.length)}`), 401)
      // The token is for assistants; other APIs refuse it.
      assert.strictEqual(await statusOf(token, "/v1/knowledge/refresh"), 401)
      assert.strictEqual(await statusOf(token, `/mcp?workspace=${crypto.randomUUID()}`), 403)
    }
  )

  it("needs a token for this endpoint", async () => {
    await signInToConsole("max")
    const { kept } = await signedIn("v1", "max")
    const authorize = kept.sentTo!
    authorize.searchParams.set("resource", "https://other.example/mcp")
    const back = new URL(await newBrowser().follow(authorize.href, RETURN))
    const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()
    const answer = await fetch(metadata.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: back.searchParams.get("code")!,
        client_id: kept.client!.client_id,
        redirect_uri: RETURN,
        code_verifier: kept.verifier!,
        resource: "https://other.example/mcp"
      })
    })
    const { access_token } = await answer.json() as { readonly access_token: string }
    assert.isString(access_token)
    const response = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
    })
    assert.strictEqual(response.status, 401)
    assert.strictEqual(
      response.headers.get("www-authenticate"),
      `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`
    )
  })

  it("is refused for an unknown person, and has only the scopes of its token", async () => {
    const stranger = await signedIn("v1", "eve")
    const refused = await stranger.connect().then(() => "connected", (error: unknown) => String(error))
    assert.include(refused, "permission_denied")
    await signInToConsole("eve")
    const assistant = await (await signedIn("v1", "eve", "openid knowledge:read")).connect()
    assert.deepStrictEqual((await assistant.tools()).map(({ name }) => name), ["search", "ask"])
    await assistant.close()
  })

  it("discovers where to sign in, also without a credential", async () => {
    const response = await fetch(`${server.url}/mcp`, { method: "POST" })
    assert.strictEqual(response.status, 401)
    const [, metadata] = /resource_metadata="([^"]+)"/.exec(response.headers.get("www-authenticate")!)!
    assert.deepStrictEqual(await (await fetch(metadata!)).json(), {
      resource: `${server.url}/mcp`,
      authorization_servers: [provider.issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: ["openid"],
      resource_name: "Tributary"
    })
    const wrongly = await fetch(metadata!, { method: "POST" })
    assert.deepStrictEqual([wrongly.status, wrongly.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
  })
})
