import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient, type Ingested, type TributaryError, ValidationError } from "../src/promise.ts"
import { startService } from "./support/service.ts"
import { failure, startStub } from "./support/stub.ts"

let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const RETRIES = { attempts: 3, minimumDelay: 1, maximumWait: 50 }

type Fetch = typeof fetch

const connected = async (wrap: (fetch: Fetch) => Fetch = (fetch) => fetch) => {
  const { key, workspaceId } = await service.newKey("pro")
  const sizes: Array<number> = []
  const counting: Fetch = (input, init) => {
    if (String(input).includes("/ingest")) {
      const sent = JSON.parse(new TextDecoder().decode(init!.body as Uint8Array)) as { items: ReadonlyArray<unknown> }
      sizes.push(sent.items.length)
    }
    return fetch(input, init)
  }
  const client = createClient({ baseUrl: service.baseUrl, apiKey: key, fetch: wrap(counting), retries: RETRIES })
  const { connector_id } = await client.connectors.create({ name: "Notes", source_name: "notes" })
  return { client, connector_id, workspaceId, sizes }
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ external_id: `note-${index}`, text: `Note ${index}.` }))

async function* slowly<A>(items: ReadonlyArray<A>) {
  for (const item of items) {
    await Promise.resolve()
    yield item
  }
}

describe("ingestAll", () => {
  it("sends batches and sums them up", async () => {
    const { client, connector_id, sizes } = await connected()
    const progress: Array<number> = []
    const sum = await client.ingestAll(connector_id, notes(25), {
      form: "text",
      batchSize: 10,
      onProgress: ({ sent }) => progress.push(sent)
    })
    assert.deepInclude(sum, { sent: 25, created: 25, updated: 0, unchanged: 0, rejected: [], oversized: [] })
    assert.deepStrictEqual(sizes, [10, 10, 5])
    assert.deepStrictEqual(progress, [10, 20, 25])
    const again = await client.ingestAll(connector_id, slowly(notes(25)), { form: "text", concurrency: 4 })
    assert.deepInclude(again, { sent: 25, created: 0, unchanged: 25 })
  })

  it("takes every form of items, and none at all", async () => {
    const { client, connector_id } = await connected()
    const json = await client.ingestAll(connector_id, [{ data: [1] }, { data: "two" }], { form: "json" })
    const page = { external_id: "p", timestamp: new Date(0), payload: { kind: "page", title: "t" } }
    const typed = await client.ingestAll(connector_id, new Set([page]), { form: "typed" })
    const none = await client.ingestAll(connector_id, [], { form: "text" })
    assert.deepStrictEqual([json.created, typed.created, none.sent], [2, 1, 0])
  })

  it("halves batches that are too large for one request, and the following ones", async () => {
    const limited = (fetch: Fetch): Fetch => async (input, init) => {
      if (!String(input).includes("/ingest")) return fetch(input, init)
      const { items } = JSON.parse(new TextDecoder().decode(init!.body as Uint8Array)) as {
        items: Array<{ text: string }>
      }
      return items.length > 3 || items.some(({ text }) => text === "huge")
        ? Response.json({ error_code: "payload_too_large", message: "m", details: null }, { status: 413 })
        : fetch(input, init)
    }
    const { client, connector_id, sizes } = await connected(limited)
    const items = notes(20).map((note, index) => index === 7 ? { ...note, text: "huge" } : note)
    const sum = await client.ingestAll(connector_id, items, { form: "text", batchSize: 10 })
    assert.deepInclude(sum, { sent: 20, created: 19, oversized: ["note-7"] })
    assert.isAtMost(Math.max(...sizes), 3)
    assert.lengthOf(await client.documents.list(connector_id).toArray(), 19)
  })

  it("halves batches that a proxy finds too large", async () => {
    const behindProxy = (fetch: Fetch): Fetch => (input, init) =>
      ((init?.body as Uint8Array | undefined)?.length ?? 0) > 10_000
        ? Promise.resolve(new Response("<h1>413 Request Entity Too Large</h1>", { status: 413 }))
        : fetch(input, init)
    const { client, connector_id } = await connected(behindProxy)
    const items = notes(20).map((note, index) => ({ ...note, text: "x".repeat(index === 7 ? 20_000 : 2_000) }))
    const sum = await client.ingestAll(connector_id, items, { form: "text" })
    assert.deepInclude(sum, { sent: 20, created: 19, oversized: ["note-7"] })
    const alone = client.ingest.text(connector_id, [items[7]!])
    assert.deepInclude(await alone.catch((error: unknown) => error) as object, {
      code: "payload_too_large",
      status: 413
    })
  })

  it("halves batches that the service finds too large", async () => {
    const { client, connector_id } = await connected()
    const text = "x".repeat(9_000_000)
    const items = Array.from({ length: 4 }, (_, index) => ({ external_id: `big-${index}`, text }))
    const sum = await client.ingestAll(connector_id, items, { form: "text" })
    assert.deepInclude(sum, { sent: 4, created: 4, oversized: [] })
  })

  it("continues after items beyond the plan", async () => {
    const { client, connector_id, workspaceId } = await connected()
    await service.limit(workspaceId, { documents: 12, doc_size: 100 })
    const items = notes(30).map((note, index) => index === 3 ? { ...note, text: "x".repeat(200) } : note)
    const sum = await client.ingestAll(connector_id, items, { form: "text", batchSize: 10 })
    assert.deepInclude(sum, { sent: 30, created: 12 })
    assert.lengthOf(sum.rejected, 18)
    assert.deepStrictEqual(sum.rejected[0], { external_id: "note-3", resource: "doc_size", reason: "quota_exceeded" })
    assert.strictEqual(sum.rejected.at(-1)?.external_id, "note-29")
  })

  it("stops at an invalid item, and reports its index", async () => {
    const { client, connector_id } = await connected()
    const items = notes(30).map((note, index) => index === 14 ? { ...note, external_id: "" } : note)
    const error = await client.ingestAll(connector_id, items, { form: "text", batchSize: 10 }).catch((error: unknown) =>
      error
    )
    assert.instanceOf(error, ValidationError)
    assert.deepStrictEqual((error as ValidationError).problems[0]?.loc, ["body", "items", 14, "external_id"])
    assert.lengthOf(await client.documents.list(connector_id).toArray(), 10)
  })

  it("reports the index of an invalid item also in a batch that was halved", async () => {
    const limited = (fetch: Fetch): Fetch => async (input, init) => {
      const { items = [] } = JSON.parse(new TextDecoder().decode(init?.body as Uint8Array)) as {
        items?: ReadonlyArray<unknown>
      }
      return items.length > 4
        ? Response.json({ error_code: "payload_too_large", message: "m", details: null }, { status: 413 })
        : fetch(input, init)
    }
    const { client, connector_id } = await connected(limited)
    const items = notes(20).map((note, index) => index === 17 ? { ...note, external_id: "" } : note)
    const error = await client.ingestAll(connector_id, items, { form: "text", batchSize: 10 }).catch((error: unknown) =>
      error
    )
    assert.instanceOf(error, ValidationError)
    assert.deepStrictEqual((error as ValidationError).problems[0]?.loc, ["body", "items", 17, "external_id"])
  })

  it("stops at an item that cannot be sent, and reports its index", async () => {
    const { client, connector_id } = await connected()
    const items = notes(25).map((note, index) => index === 14 ? { ...note, text: 5 as never } : note)
    const error = await client.ingestAll(connector_id, items, { form: "text", batchSize: 10 }).catch((error: unknown) =>
      error
    )
    assert.instanceOf(error, ValidationError)
    assert.deepInclude(error, { code: "invalid_request", status: null })
    assert.deepStrictEqual((error as ValidationError).problems[0]?.loc, ["items", 14, "text"])
  })

  it("creates no duplicates if answers are lost", async () => {
    let lost = 0
    const losing = (fetch: Fetch): Fetch => async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes("/ingest") || lost++ % 2 === 1) return response
      await response.arrayBuffer()
      throw new TypeError("fetch failed")
    }
    const { client, connector_id, sizes } = await connected(losing)
    const items = Array.from(
      { length: 40 },
      (_, index) => ({ text: `Note ${index}.`, ...index % 2 === 0 ? { external_id: null } : {} })
    )
    const sum = await client.ingestAll(connector_id, items, { form: "text", batchSize: 10 })
    assert.strictEqual(sum.sent, 40)
    assert.lengthOf(sizes, 8)
    assert.lengthOf(await client.documents.list(connector_id).toArray(), 40)
    await client.ingest.json(connector_id, [{ data: "once" }])
    assert.lengthOf(await client.documents.list(connector_id).toArray(), 41)
  })

  it("stops with its signal, and releases its iterator", async () => {
    const controller = new AbortController()
    await using stub = await startStub(() => controller.abort())
    let closed = false
    async function* endless() {
      try {
        for (let index = 0;; index++) yield { text: `${index}` }
      } finally {
        closed = true
      }
    }
    const client = createClient({ baseUrl: stub.baseUrl, apiKey: "key" })
    const error = await client.ingestAll("c", endless(), { form: "text", signal: controller.signal })
      .catch((error: unknown) => error)
    assert.strictEqual((error as Error).name, "AbortError")
    assert.isTrue(closed)
    assert.lengthOf(stub.asked, 1)
  })

  it("stops with its signal while the iterator waits", async () => {
    async function* stuck() {
      yield { text: "one" }
      await new Promise(() => {})
    }
    const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "key" })
    const error = await client.ingestAll("c", stuck(), { form: "text", signal: AbortSignal.timeout(20) })
      .catch((error: unknown) => error)
    assert.strictEqual((error as Error).name, "TimeoutError")
  })

  it("rethrows errors of the caller's own code", async () => {
    const { client, connector_id } = await connected()
    const own = new Error("own")
    const broken = async function*() {
      yield { text: "one" }
      throw own
    }
    const thrownBy = (call: Promise<Ingested>) => call.catch((error: unknown) => error)
    assert.strictEqual(await thrownBy(client.ingestAll(connector_id, broken(), { form: "text" })), own)
    const onProgress = () => {
      throw own
    }
    assert.strictEqual(await thrownBy(client.ingestAll(connector_id, notes(1), { form: "text", onProgress })), own)
  })

  it("fails as a whole if the service does", async () => {
    await using stub = await startStub((_, response) => failure(response, 404, "client_not_found"))
    const client = createClient({ baseUrl: stub.baseUrl, apiKey: "key" })
    const error = await client.ingestAll("c", notes(500), { form: "text" }).catch((error: unknown) => error)
    assert.deepInclude(error as TributaryError, { code: "client_not_found", status: 404 })
    assert.lengthOf(stub.asked, 1)
  })
})
