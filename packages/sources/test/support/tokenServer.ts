/** An authorization server (RFC 6749, section 6), which also says whose a token is (RFC 7662). */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface TokenServer {
  readonly url: string
  readonly introspectionUrl: string
  /** Valid refresh tokens, and whose they are. Each is valid once. */
  readonly refreshTokens: Map<string, string>
  /** Valid access tokens, and whose they are. */
  readonly accessTokens: Map<string, string>
  /** The forms that were sent to the token endpoint. */
  readonly forms: Array<Record<string, string>>
  /** In seconds. */
  expiresIn: number | undefined
  /** Answers the token endpoint in its place. */
  broken: ((answer: ServerResponse) => void) | undefined
  readonly stop: () => Promise<void>
}

const formOf = async (request: IncomingMessage): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(await text(request)))

const reply = (answer: ServerResponse, status: number, body: object) =>
  answer.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" }).end(
    JSON.stringify(body)
  )

export const startTokenServer = async (): Promise<TokenServer> => {
  let made = 0
  const grant = (form: Record<string, string>, answer: ServerResponse) => {
    server.forms.push(form)
    if (server.broken !== undefined) return server.broken(answer)
    const { client_id, client_secret, grant_type, refresh_token = "" } = form
    if (client_id !== "tributary" || client_secret !== "of the client") {
      return reply(answer, 401, { error: "invalid_client", error_description: `${client_secret} is wrong.` })
    }
    const user = server.refreshTokens.get(refresh_token)
    if (grant_type !== "refresh_token" || user === undefined) {
      return reply(answer, 400, { error: "invalid_grant", error_description: "The account has changed.\r\nTrace: 1" })
    }
    server.refreshTokens.delete(refresh_token)
    made++
    server.refreshTokens.set(`refresh-${made}`, user)
    server.accessTokens.set(`access-${made}`, user)
    reply(answer, 200, {
      access_token: `access-${made}`,
      token_type: "Bearer",
      refresh_token: `refresh-${made}`,
      ...(server.expiresIn === undefined ? {} : { expires_in: server.expiresIn })
    })
  }
  const serve = async (request: IncomingMessage, answer: ServerResponse) => {
    const form = await formOf(request)
    if (request.url === "/token") return grant(form, answer)
    const username = server.accessTokens.get(form["token"] ?? "")
    return reply(answer, 200, username === undefined ? { active: false } : { active: true, username })
  }
  const http = createServer((request, answer) => void serve(request, answer)).listen(0, "127.0.0.1")
  await once(http, "listening")
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: TokenServer = {
    url: `${origin}/token`,
    introspectionUrl: `${origin}/introspect`,
    refreshTokens: new Map(),
    accessTokens: new Map(),
    forms: [],
    expiresIn: 3_600,
    broken: undefined,
    stop: async () => {
      http.close()
      http.closeAllConnections()
      await once(http, "close")
    }
  }
  return server
}
