/** An identity provider on loopback without passwords. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"

export const CLIENT_SECRET = "secret-of-the-client"

const RESOURCE_SCOPE = "knowledge:read api:read"

interface Person {
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
}

/** The settings of a server that uses it, and its users by subject. */
export const startIdentityProvider = async (people: Record<string, Person>) => {
  const [first = ""] = Object.keys(people)
  /** The person at the browser, and whether the provider fails where it issues tokens. */
  const state = { person: first, isFailing: false }
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (services: ReadonlyArray<string>) => {
    const provider = new Provider(issuer, {
      clients: [{
        client_id: "tributary",
        client_secret: CLIENT_SECRET,
        redirect_uris: services.map((url) => `${url}/console/api/provider/return`)
      }],
      claims: { email: ["email", "email_verified"], profile: ["name"] },
      cookies: { keys: ["key"] },
      features: {
        devInteractions: { enabled: false },
        // Programs register themselves, and request tokens for the service that they use.
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, audience) => ({
            scope: RESOURCE_SCOPE,
            audience,
            accessTokenFormat: "jwt",
            accessTokenTTL: 3_600
          }),
          useGrantedResource: () => true
        }
      },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub]! }) }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!
        })
        grant.addOIDCScope("openid email profile")
        for (const resource of [oidc.params?.["resource"] ?? []].flat()) {
          grant.addResourceScope(String(resource), RESOURCE_SCOPE)
        }
        await grant.save()
        return grant
      }
    })
    const answer = provider.callback()
    /** The person signs in, and allows the program's scopes. */
    const agree = async (request: IncomingMessage, response: ServerResponse) => {
      const { params, prompt, session } = await provider.interactionDetails(request, response)
      if (prompt.name === "login") {
        return provider.interactionFinished(request, response, { login: { accountId: state.person } })
      }
      const grant = new provider.Grant({
        clientId: String(params["client_id"]),
        accountId: session!.accountId
      })
      grant.addOIDCScope("openid email profile offline_access")
      for (const resource of [params["resource"] ?? []].flat()) grant.addResourceScope(String(resource), RESOURCE_SCOPE)
      const grantId = await grant.save()
      return provider.interactionFinished(request, response, { consent: { grantId } }, {
        mergeWithLastSubmission: true
      })
    }
    server.on("request", (request, response) => {
      if (state.isFailing && request.url === "/token") return void response.writeHead(502).end("<h1>Bad Gateway</h1>")
      if (!request.url!.startsWith("/interaction/")) return void answer(request, response)
      void agree(request, response)
    })
  }
  const settings = {
    TRIBUTARY_OIDC_ISSUER: issuer,
    TRIBUTARY_OIDC_CLIENT_ID: "tributary",
    TRIBUTARY_OIDC_CLIENT_SECRET: CLIENT_SECRET
  }
  return {
    issuer,
    settings,
    state,
    /** Knows these services from now on. */
    open,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
