/**
 * MCP over HTTP, without sessions: every request is self-contained, so any node answers it, also after a restart. The
 * host authenticates the caller and limits the size and depth of bodies before.
 */
import { createMcpHandler } from "@modelcontextprotocol/server"
import type { McpEndpoint, McpRequest, McpSession } from "@tributary/http/McpEndpoint"
import { RunningCalls } from "./RunningCalls.ts"
import { serverFor } from "./server.ts"

const SESSION_ID = "mcp-session-id"

/** Carries a session through the protocol's library, which hands on what it calls the token's extra information. */
class Carried {
  readonly session: McpSession
  constructor(session: McpSession) {
    this.session = session
  }
}

const error = (status: number, code: number, message: string) =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status })

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

/** Clients of the 2025 revisions send it back with every request; it is remembered by them alone. */
const withSessionId = (response: Response): Response => {
  const headers = new Headers(response.headers)
  headers.set(SESSION_ID, crypto.randomUUID())
  return new Response(response.body, { status: response.status, headers })
}

export class HttpEndpoint implements McpEndpoint {
  readonly #running = new RunningCalls()
  readonly #handler = createMcpHandler(
    ({ authInfo }) => {
      const carried = authInfo?.extra?.["carried"]
      if (!(carried instanceof Carried)) throw new Error("A request reached the MCP server without a session.")
      return serverFor(carried.session)
    },
    // The server sends no notifications, so there is nothing to subscribe to.
    { maxSubscriptions: 0 }
  )

  async handle({ body, client, controller, request, session }: McpRequest): Promise<Response> {
    // Batches left the protocol in 2025; no client sends them, and one could hold thousands of calls.
    if (Array.isArray(body)) return error(400, -32600, "JSON-RPC batches are not supported")
    const sessionId = request.headers.get(SESSION_ID) ?? undefined
    const method = field(body, "method")
    if (method === "notifications/cancelled") {
      this.#running.cancel({ client, sessionId, requestId: field(field(body, "params"), "requestId") })
      return new Response(null, { status: 202 })
    }
    const ended = this.#running.begin({ client, sessionId, requestId: field(body, "id") }, controller)
    controller.signal.addEventListener("abort", ended, { once: true })
    const response = await this.#handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: "", clientId: client, scopes: [...session.scopes], extra: { carried: new Carried(session) } }
    })
    return method === "initialize" && response.ok ? withSessionId(response) : response
  }
}
