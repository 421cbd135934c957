// The HTTP API of an open knowledge base, in a server of the host's own.
import { Clock, Effect, Logger, Stream } from "effect"
import express from "express"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, vi } from "vitest"
import { open } from "../src/open.ts"
import { openForTests } from "../src/testing.ts"

const TOKEN = "operator-token-of-the-tests"

const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

const bearer = { authorization: `Bearer ${TOKEN}` }
const json = { "content-type": "application/json" }

describe("An open knowledge base", () => {
  it("answers web requests at the host's address", async () => {
    await using kb = await open({ storage: "memory" })
    const handler = await kb.handler({ baseUrl: "https://example.org/knowledge", adminToken: TOKEN })
    const { id } = await kb.createWorkspace({ name: "Handbook" })
    const made = await handler(
      new Request(`http://host/admin/v1/workspaces/${id}/api-keys`, {
        method: "POST",
        headers: { ...bearer, ...json },
        body: JSON.stringify({ name: "key", scopes: ["api:read", "api:write"] })
      })
    )
    assert.strictEqual(made.status, 201)
    const { secret } = await made.json() as { readonly secret: string }
    const asked = await handler(
      new Request("http://host/v1/knowledge/ask", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, ...json },
        body: JSON.stringify({ query: "When is the office closed?", async: true })
      })
    )
    assert.strictEqual(asked.status, 202)
    assert.match(asked.headers.get("location") ?? "", /^\/knowledge\/v1\/knowledge\/ask\/jobs\//)
  })

  it("answers requests of node:http, and explains that another parser consumed the body", async () => {
    await using kb = await open({ storage: "memory" })
    const handle = await kb.nodeHandler({ baseUrl: "http://127.0.0.1", adminToken: TOKEN })
    const app = express()
    app.use("/parsed", express.json(), handle)
    app.use("/", handle)
    await using server = await listening(createServer(app))
    const create = (path: string) =>
      fetch(`${server.url}${path}/admin/v1/accounts`, {
        method: "POST",
        headers: { ...bearer, ...json },
        body: JSON.stringify({ name: "Acme" })
      })
    assert.strictEqual((await create("")).status, 201)
    const refused = await create("/parsed")
    assert.strictEqual(refused.status, 500)
    assert.match(
      ((await refused.json()) as { readonly message: string }).message,
      /Mount Tributary before express.json/
    )
  })

  it("reports whether it is ready, and after its end that it is closed", async () => {
    const kb = await open({ storage: "memory" })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    assert.deepStrictEqual(await kb.health(), { ready: true })
    await kb.close()
    assert.deepStrictEqual(await kb.health(), { ready: false })
    const error: unknown = await workspace.search({ q: "office" }).catch((error: unknown) => error)
    assert.strictEqual((error as Error).message, "The knowledge base is closed.")
    assert.strictEqual((error as { readonly code: string }).code, "closed")
  })

  it("answers 503 in the API's form from its end on, and makes no more handlers", async () => {
    const kb = await open({ storage: "memory" })
    const options = { baseUrl: "http://127.0.0.1", adminToken: TOKEN }
    const handler = await kb.handler(options)
    await using server = await listening(createServer(await kb.nodeHandler(options)))
    await kb.close()
    const requests = [
      ["GET", "/readyz"],
      ["GET", "/v1/usage/current"],
      ["POST", "/v1/knowledge/search"],
      ["HEAD", "/v1/usage/current"]
    ] as const
    for (const [method, path] of requests) {
      const init = {
        method,
        headers: { ...bearer, ...json, "x-request-id": "ours" },
        ...(method === "POST" ? { body: JSON.stringify({ q: "office" }) } : {})
      }
      for (
        const answer of [await handler(new Request(`http://host${path}`, init)), await fetch(server.url + path, init)]
      ) {
        assert.deepStrictEqual(
          [answer.status, ...["content-type", "retry-after", "x-request-id"].map((name) => answer.headers.get(name))],
          [503, "application/json", "5", "ours"],
          `${method} ${path}`
        )
        if (method === "HEAD") continue
        assert.deepStrictEqual(await answer.json(), {
          error_code: "service_unavailable",
          message: "The service is closing.",
          details: null
        })
      }
    }
    for (const make of [kb.handler(options), kb.nodeHandler(options)]) {
      assert.deepInclude(await make.catch((error: unknown) => error), { code: "closed" })
    }
  })

  it.each([
    [{}, /^The option "baseUrl" of a handler must be an http or https address\.$/],
    [{ baseUrl: "localhost:3000" }, /^The option "baseUrl" of a handler must be an http or https address\.$/],
    [
      { baseUrl: "http://host", metric: false },
      /^There is no option "metric" of a handler\. The options are: baseUrl, /
    ],
    [
      { baseUrl: "http://host", adminToken: `${TOKEN},` },
      /must be at least 24 characters long, of visible ASCII without/
    ],
    [{ baseUrl: "http://host", adminToken: "short" }, /^The option "adminToken" of a handler must be at least 24 char/],
    [{ baseUrl: "http://host", metrics: "no" }, /^The option "metrics" of a handler must be true or false\.$/],
    [{ baseUrl: "http://host", callers: {} }, /^The option "callers" of a handler must be a function\.$/]
  ])("makes no handler with the options %j", async (options, message) => {
    await using kb = await open({ storage: "memory" })
    for (const make of [kb.handler(options as never), kb.nodeHandler(options as never)]) {
      const error: unknown = await make.catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
      assert.match((error as Error).message, message)
    }
  })

  it("mounts no endpoint for assistants if its host wants none", async () => {
    await using kb = await open({ storage: "memory" })
    const call = async (options: { readonly mcp?: boolean }) => {
      const handler = await kb.handler({ baseUrl: "http://host", ...options })
      return (await handler(new Request("http://host/mcp", { method: "POST" }))).status
    }
    assert.deepStrictEqual([await call({}), await call({ mcp: false })], [401, 404])
  })

  it("gives each workspace a separate account, unless the host names one", async () => {
    await using kb = await open({ storage: "memory" })
    const one = await kb.createWorkspace({ name: "One" })
    const other = await kb.createWorkspace({ name: "Other" })
    const names = async (workspace: typeof one) => {
      const found: Array<string> = []
      for await (const { name } of workspace.workspaces.list()) found.push(name)
      return found
    }
    assert.notInclude(await names(one), "Other")
    assert.notInclude(await names(other), "One")
  })

  it("accepts the host's users under their own ids, beside keys", async () => {
    await using kb = await open({ storage: "memory" })
    const { id } = await kb.createWorkspace({ name: "Handbook" })
    const user = crypto.randomUUID()
    const callers = (credential: string) => {
      if (!credential.startsWith("host.")) return undefined
      const scopes = ["api:read"] as const
      return Promise.resolve(credential === "host.nobody" ? null : { user, workspace: credential.slice(5), scopes })
    }
    const handler = await kb.handler({ baseUrl: "https://example.org", adminToken: TOKEN, callers })
    const get = (credential: string, path: string) =>
      handler(new Request(`http://host${path}`, { headers: { authorization: `Bearer ${credential}` } }))

    const listed = await get(`host.${id}`, "/v1/workspaces")
    const { workspaces } = await listed.json() as { readonly workspaces: ReadonlyArray<{ readonly name: string }> }
    assert.deepStrictEqual(workspaces.map(({ name }) => name), ["Personal", "Handbook"])
    const refused = await handler(
      new Request("http://host/v1/custom-connectors", {
        method: "POST",
        headers: { authorization: `Bearer host.${id}`, ...json },
        body: JSON.stringify({ name: "Wiki", source_name: "wiki" })
      })
    )
    assert.strictEqual(refused.status, 403)
    assert.strictEqual((await get("host.nobody", "/v1/workspaces")).status, 401)
    assert.strictEqual((await get(`host.${crypto.randomUUID()}`, "/v1/workspaces")).status, 401)
    assert.strictEqual((await get("trb_unknown", "/v1/workspaces")).status, 401)
    assert.strictEqual((await get(TOKEN, "/admin/v1/workspaces")).status, 200)
  })

  describe("that closes", () => {
    /** Answers when the test says so. */
    const answering = async () => {
      const asked = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      let questions = 0
      const outcome = { _tag: "Outcome", model: "slow", related: [], warnings: [], truncated: false } as const
      const answerer = {
        answer: () => {
          questions++
          asked.resolve()
          return Stream.fromEffect(Effect.as(Effect.promise(() => answer.promise), outcome))
        }
      }
      const kb = await open({ storage: "memory", answerer })
      const { id } = await kb.createWorkspace({ name: "Handbook" })
      const callers = () => Promise.resolve({ user: "ada", workspace: id, scopes: ["api:read"] as const })
      return {
        kb,
        id,
        asked: asked.promise,
        asking: () => questions,
        answer: answer.resolve,
        options: { baseUrl: "http://127.0.0.1", callers }
      }
    }
    const headers = { authorization: "Bearer ada", ...json }
    const question = { method: "POST", headers, body: JSON.stringify({ query: "When?" }) }
    const events = { headers: { ...headers, accept: "text/event-stream" } }

    const checkEnd = async (
      { answer, asked, kb }: Awaited<ReturnType<typeof answering>>,
      send: (path: string, init: RequestInit) => Promise<Response>
    ) => {
      const stream = await send("/v1/runtime/events", events)
      const asking = send("/v1/knowledge/ask", question)
      await asked
      const closed = kb.close()
      assert.match(await stream.text(), /event: error\ndata: .*The server is stopping/)
      answer()
      const answered = await asking
      assert.strictEqual(answered.status, 200)
      assert.strictEqual((await answered.json() as { readonly model: string }).model, "slow")
      await closed
    }

    it("lets requests of node:http finish, and ends event streams with a last event", async () => {
      const running = await answering()
      await using server = await listening(createServer(await running.kb.nodeHandler(running.options)))
      await checkEnd(running, (path, init) => fetch(server.url + path, init))
    })

    it("lets web requests finish, and ends event streams with a last event", async () => {
      const running = await answering()
      const handler = await running.kb.handler(running.options)
      await checkEnd(running, (path, init) => handler(new Request(`http://host${path}`, init)))
    })

    it("answers 503 in the API's form to requests that do not finish in time, and its own calls reject", async () => {
      const { asking, id, kb, options } = await answering()
      await using server = await listening(createServer(await kb.nodeHandler(options)))
      const handler = await kb.handler(options)
      const path = "/v1/knowledge/ask"
      const answers = [fetch(server.url + path, question), handler(new Request(`http://host${path}`, question))]
      const call = kb.workspace(id).ask({ query: "When?" }).catch((error: unknown) => error)
      await vi.waitUntil(() => asking() === 3)
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      try {
        const closed = kb.close()
        await vi.advanceTimersByTimeAsync(10_000)
        await closed
      } finally {
        vi.useRealTimers()
      }
      for (const answer of await Promise.all(answers)) {
        assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [503, "5"])
        assert.deepStrictEqual(await answer.json(), {
          error_code: "service_unavailable",
          message: "The service is closing.",
          details: null
        })
      }
      assert.deepInclude(await call, { code: "service_unavailable", message: "The service is closing." })
    }, 20_000)

    it("ends event streams alone with a last event, too", async () => {
      const { kb, options } = await answering()
      await using server = await listening(createServer(await kb.nodeHandler(options)))
      const stream = await fetch(`${server.url}/v1/runtime/events`, events)
      await kb.close()
      assert.match(await stream.text(), /event: error\ndata: .*The server is stopping/)
    })

    it("ends the event streams of its workspaces with an error", async () => {
      const { id, kb } = await answering()
      const workspace = kb.workspace(id)
      const { connector_id } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
      await workspace.ingest.text(connector_id, [{ text: "The office is closed." }])
      const events = workspace.events.live({}, { after: "0" })[Symbol.asyncIterator]()
      assert.strictEqual((await events.next()).value?.event.type, "document.created")
      const refused = events.next().then(() => null, (error: { readonly code: string }) => error.code)
      await kb.close()
      assert.strictEqual(await refused, "service_unavailable")
    })
  })

  it("answers with the host's clock, and logs to the host's logger", async () => {
    const logged: Array<unknown> = []
    const now = Date.UTC(2030, 0, 1)
    const clock: Clock.Clock = Object.create(await Effect.runPromise(Clock.Clock), {
      currentTimeMillisUnsafe: { value: () => now },
      currentTimeMillis: { value: Effect.succeed(now) }
    })
    await using kb = await open({
      storage: "memory",
      clock,
      logger: Logger.make(({ message }) => void logged.push(message))
    })
    const { id } = await kb.createWorkspace({ name: "Handbook" })
    const callers = (credential: string) =>
      credential === "ada"
        ? Promise.resolve({ user: "ada", workspace: id, scopes: ["api:write"] as const })
        : Promise.reject(new Error("the host cannot say"))
    const options = { baseUrl: "http://127.0.0.1", callers }
    await using server = await listening(createServer(await kb.nodeHandler(options)))
    const handler = await kb.handler(options)
    const sends = [
      (path: string, init: RequestInit) => fetch(server.url + path, init),
      (path: string, init: RequestInit) => handler(new Request(`http://host${path}`, init))
    ]
    for (const [index, send] of sends.entries()) {
      const create = (credential: string) =>
        send("/v1/custom-connectors", {
          method: "POST",
          headers: { authorization: `Bearer ${credential}`, ...json },
          body: JSON.stringify({ name: "Wiki", source_name: `wiki-${index}` })
        })
      assert.strictEqual((await create("nobody")).status, 500)
      const made = await (await create("ada")).json() as { readonly created_at: string }
      assert.strictEqual(made.created_at, "2030-01-01T00:00:00.000Z")
    }
    assert.lengthOf(logged, 2)
  })

  it("answers 503 to a user about whom the host says nothing within half a minute", { timeout: 20_000 }, async () => {
    await using opened = await openForTests({ logger: false })
    const { advance, kb } = opened
    const asked = Promise.withResolvers<void>()
    const callers = () => {
      asked.resolve()
      return new Promise<never>(() => {})
    }
    const handler = await kb.handler({ baseUrl: "http://host", callers })
    const answer = handler(new Request("http://host/v1/usage/current", { headers: { authorization: "Bearer ada" } }))
    await asked.promise
    await advance("30 seconds")
    assert.strictEqual((await answer).status, 503)
  })

  it("answers many calls at once for a workspace, also when a web request does not say how long its body is", async () => {
    const most = 8
    let running = 0
    const all = Promise.withResolvers<void>()
    const outcome = { _tag: "Outcome", model: "slow", related: [], warnings: [], truncated: false } as const
    const answerer = {
      answer: () => {
        if (++running === most) all.resolve()
        return Stream.fromEffect(Effect.as(Effect.promise(() => all.promise), outcome))
      }
    }
    await using kb = await open({ storage: "memory", answerer })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const handler = await kb.handler({
      baseUrl: "http://127.0.0.1",
      callers: () => Promise.resolve({ user: "ada", workspace: workspace.id, scopes: ["api:read"] })
    })
    const ask = () =>
      handler(
        new Request("http://host/v1/knowledge/ask", {
          method: "POST",
          headers: { authorization: "Bearer ada", ...json },
          body: JSON.stringify({ query: "When?" })
        })
      )
    // Each answer waits for all the others to begin.
    const answers = await Promise.all(Array.from({ length: most }, ask))
    assert.deepStrictEqual(answers.map(({ status }) => status), Array(most).fill(200))
    await Promise.all(Array.from({ length: 100 }, () => workspace.search({ q: "office" })))
  })
})
