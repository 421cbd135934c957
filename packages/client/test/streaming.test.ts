// Answers and events that arrive piece by piece, from the real service over a port.
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  AuthenticationError,
  ConnectionError,
  createClient,
  PermissionError,
  RateLimitError,
  UnavailableError,
  ValidationError
} from "../src/promise.ts"
import { startService } from "./support/service.ts"

let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const item of items) found.push(item)
  return found
}

const failureOf = (items: AsyncIterable<unknown>): Promise<unknown> => all(items).then(() => null, (error) => error)

describe("A streamed answer", () => {
  it("has citations, pieces of text, and then the whole", async () => {
    const { client, connector_id } = await service.connected()
    await client.ingest.text(connector_id, [{ text: "The capital of Zembla is Onhava." }])
    const events = await all(client.knowledge.askStream({ query: "What is the capital of Zembla?" }))
    const text = events.flatMap(({ data, event }) => event === "delta" ? [data.text] : []).join("")
    const last = events.at(-1)
    assert.strictEqual(last?.event, "done")
    assert.strictEqual(last?.event === "done" && last.data.response, text)
    assert.strictEqual(events[0]?.event, "citation")
    assert.isTrue(events[0]?.event === "citation" && events[0].data.entity.timestamp instanceof Date)
  })

  it("has the same errors as a plain one", async () => {
    const { client } = await service.connected("free")
    assert.instanceOf(await failureOf(client.knowledge.askStream({ query: "" })), ValidationError)
    for (let asked = 0; asked < 5; asked++) await all(client.knowledge.askStream({ query: "Anything?" }))
    const refused = await failureOf(client.knowledge.askStream({ query: "Anything?" }))
    assert.instanceOf(refused, RateLimitError)
    assert.isAbove((refused as RateLimitError).retryAfter!, 0)
    const stranger = createClient({ baseUrl: service.baseUrl, apiKey: "pk_live_nobody", retries: { attempts: 1 } })
    assert.instanceOf(await failureOf(stranger.knowledge.askStream({ query: "Anything?" })), AuthenticationError)
  })

  it("that does not begin in its time is given up", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1")
    await once(silent, "listening")
    const { port } = silent.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "pk_live_anybody" })
    const late = await failureOf(client.knowledge.askStream({ query: "Anything?" }, { timeout: 50 }))
    assert.instanceOf(late, ConnectionError)
    assert.strictEqual((late as ConnectionError).code, "timeout")
    silent.closeAllConnections()
    silent.close()
  })

  it("that fails on its way ends with that failure, and none is requested with an aborted signal", async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(200, { "content-type": "text/event-stream" })
      const failure = { error_code: "service_unavailable", message: "The model does not answer.", details: null }
      response.end(`event: error\ndata: ${JSON.stringify(failure)}\n\n`)
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "pk_live_x", retries: { attempts: 1 } })
    const failed = await failureOf(client.knowledge.askStream({ query: "Anything?" }))
    assert.instanceOf(failed, UnavailableError)
    assert.deepInclude(failed, { code: "service_unavailable", message: "The model does not answer.", status: 200 })
    const reason = new Error("enough")
    const aborted = client.knowledge.askStream({ query: "Anything?" }, { signal: AbortSignal.abort(reason) })
    assert.strictEqual(await failureOf(aborted), reason)
    assert.strictEqual(requests, 1)
    server.close()
  })

  it("is requested again each time it is iterated", async () => {
    const { client } = await service.connected()
    const answer = client.knowledge.askStream({ query: "Anything?" })
    assert.deepStrictEqual((await all(answer)).length, (await all(answer)).length)
  })
})

describe("Live events", () => {
  it("continue after an id, until the caller stops", async () => {
    const { client, connector_id } = await service.connected()
    const ids = ["a", "b", "c"]
    await client.ingest.text(connector_id, ids.map((external_id) => ({ external_id, text: external_id })))
    const seen: Array<string> = []
    let second = ""
    for await (const { event, id } of client.events.live({}, { after: "0" })) {
      seen.push(event.external_id)
      if (seen.length === 2) second = id
      if (seen.length === 3) break
    }
    assert.deepStrictEqual(seen, ids)
    for await (const { event } of client.events.live({ kind: "custom" }, { after: second })) {
      assert.strictEqual(event.external_id, "c")
      break
    }
  })

  it("end with the reason of the signal", async () => {
    const { client } = await service.connected()
    const reason = new Error("enough")
    const controller = new AbortController()
    const failure = failureOf(client.events.live({}, { signal: controller.signal }))
    controller.abort(reason)
    assert.strictEqual(await failure, reason)
  })

  it("that break off are a lost connection, after any number of events", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(": hello\n\n", () => response.destroy())
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "pk_live_x", retries: { attempts: 1 } })
    const broken = await failureOf(client.events.live())
    assert.instanceOf(broken, ConnectionError)
    assert.strictEqual((broken as ConnectionError).code, "network_error")
    server.close()
  })

  it("are refused without the scope", async () => {
    const { key } = await service.newKey("pro", ["knowledge:read"])
    const client = createClient({ baseUrl: service.baseUrl, apiKey: key, retries: { attempts: 1 } })
    const refused = await failureOf(client.events.live())
    assert.instanceOf(refused, PermissionError)
    assert.deepStrictEqual((refused as PermissionError).missingScopes, ["runtime:read"])
  })
})
