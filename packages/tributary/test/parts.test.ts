// Each part of the service that a host may replace, replaced from the outside.
import type { Provider } from "@tributary/core/ports/Provider"
import type { RerankingModel } from "@tributary/core/ports/Reranker"
import type { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { RANKING } from "@tributary/core/Tributary"
import type { Sender, WebhookRequest } from "@tributary/core/WebhookSender"
import { Clock, Effect, Layer, Logger, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool } from "pg"
import { afterAll, assert, describe, it, vi } from "vitest"
import example from "../../../docs/examples/ranking.ts"
import { databaseUrl } from "../../postgres/test/support/testServer.ts"
import { open, type Parts, RateLimitError, ValidationError, type Workspace } from "../src/open.ts"
import { dropSchema, execute } from "./support/database.ts"

const notes: Provider<{ readonly owner: string }> = {
  provider: "notes",
  name: "Notes",
  config: Schema.Struct({ owner: Schema.String }),
  syncDefaults: { start: { type: "relative", days: 30 }, interval_minutes: 60 },
  resources: () => Effect.succeed(["all"]),
  sync: () => Stream.empty
}

const isFolded = (workspace: Workspace) =>
  vi.waitFor(
    async () => assert.strictEqual((await workspace.status()).pending_documents, 0),
    { timeout: 150_000, interval: 100 }
  )

const fields = { number: "text", notes: "text" } as const

describe("A host", () => {
  it("has its own kinds in one service, while another in the same process does not know them", async () => {
    await using billing = await open({ storage: "memory", kinds: { invoice: { fields, body: "notes" } } })
    await using plain = await open({ storage: "memory" })
    const item = {
      external_id: "2026-114",
      timestamp: new Date(),
      payload: { kind: "invoice", number: "2026-114", notes: "Paid in two instalments." }
    }
    const [ours, theirs] = await Promise.all([billing, plain].map(async (kb) => {
      const workspace = await kb.createWorkspace({ name: "Accounts" })
      const { connector_id } = await workspace.connectors.create({ name: "Billing", source_name: "billing" })
      return { workspace, connector_id }
    }))
    await ours!.workspace.ingest.typed(ours!.connector_id, [item])
    const { results } = await ours!.workspace.search({ q: "instalments" })
    assert.deepStrictEqual(results.map(({ evidence_type }) => evidence_type), ["invoice"])
    const refused = await theirs!.workspace.ingest.typed(theirs!.connector_id, [item]).catch((error: unknown) => error)
    assert.instanceOf(refused, ValidationError)
  })

  it("offers its own providers", async () => {
    await using kb = await open({ storage: "memory", providers: [notes as Provider] })
    const workspace = await kb.createWorkspace({ name: "Notes" })
    assert.deepStrictEqual((await workspace.providers.list()).map(({ provider }) => provider), ["notes"])
  })

  it("searches with its own embedding model", async () => {
    const embedded: Array<string> = []
    const embedder = {
      model: "constant",
      dimensions: 2,
      batch: 8,
      embed: (texts: ReadonlyArray<string>) =>
        Effect.sync(() => {
          embedded.push(...texts)
          return texts.map(() => new Float32Array([1, 0]))
        })
    }
    await using kb = await open({ storage: "memory", embedder })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    await workspace.ingest.text(connector_id, [{ title: "Garage", text: "Bicycles stand in the basement." }])
    await vi.waitFor(
      async () => assert.strictEqual((await workspace.search({ q: "cyclist", mode: "semantic" })).count, 1),
      { timeout: 150_000, interval: 100 }
    )
    assert.isTrue(embedded.some((text) => text.includes("Bicycles")))
  })

  it.each(
    [
      ["memory", "NaN", [NaN, 1]],
      ["memory", "infinite", [Infinity, 1]],
      ["memory", "zero", [0, 0]],
      ["memory", "null", [null, 1]],
      ["embedded", "infinite", [-Infinity, 1]]
    ] as const
  )("in storage %s, searches by words and warns while its embedding model returns %s", async (storage, _, bad) => {
    const directory = mkdtempSync(join(tmpdir(), "tributary-"))
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const embedder = {
      model: "numb",
      dimensions: 2,
      batch: 8,
      embed: (texts: ReadonlyArray<string>) => Effect.succeed(texts.map(() => bad as ReadonlyArray<number>))
    }
    try {
      const parts = { embedder, logger, indexing: "thread" } as const
      await using kb = await open(storage === "memory" ? { storage, ...parts } : { storage, directory, ...parts })
      const workspace = await kb.createWorkspace({ name: "Handbook" })
      const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
      await workspace.ingest.text(connector_id, [{ title: "Garage", text: "Bicycles stand in the basement." }])
      const refused = await workspace.search({ q: "bicycles", mode: "semantic" }).catch((error: unknown) => error)
      assert.deepInclude(refused, { code: "service_unavailable" })
      await vi.waitFor(
        () =>
          assert.include(
            lines.join(),
            "the embedding model numb was to return 1 vectors of 2 numbers, finite and not all zero"
          ),
        { timeout: 20_000, interval: 100 }
      )
      const { results, warnings } = await workspace.search({ q: "bicycles" })
      assert.deepStrictEqual(results.map(({ score, title }) => [title, score > 0]), [["Garage", true]])
      assert.match(warnings.join(), /embedding model does not answer/)
      assert.include(lines.join(), "numb")
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it("ranks results by its own method", async () => {
    const found = async (ranking: NonNullable<Parts["ranking"]>) => {
      await using kb = await open({ storage: "memory", ranking })
      const workspace = await kb.createWorkspace({ name: "Handbook" })
      const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
      await workspace.ingest.text(connector_id, [
        { external_id: "short", text: "The garage opens." },
        { external_id: "long", text: "The garage for bicycles lies behind the house, where the gate to the yard is." }
      ])
      const { results } = await workspace.search({ q: "garage" })
      return results.map(({ external_id }) => external_id)
    }
    assert.deepStrictEqual(await found({}), ["short", "long"])
    assert.deepStrictEqual(await found(example.ranking), ["short", "long"])
    assert.deepStrictEqual(await found({ rescore: (...hits) => RANKING.rescore(...hits).toReversed() }), [
      "long",
      "short"
    ])
  })

  it("uses its own reranking model and its own text extractor", async () => {
    const reranker: RerankingModel = {
      model: "shortest",
      rerank: (_, texts) => Effect.succeed(texts.map(({ length }) => -length))
    }
    const extractor: TextExtractor["Service"] = {
      fromMarkup: (text) => Effect.succeed({ title: null, text }),
      fromFile: ({ bytes, name }) => Effect.succeed({ title: name, text: new TextDecoder().decode(bytes.toReversed()) })
    }
    await using kb = await open({ storage: "memory", extractor, reranker })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    for (const [name, text] of [["long", "egarag egarag egarag hcihw ,eht"], ["short", "egarag"]] as const) {
      await workspace.ingest.file(connector_id, { file: new File([text], name) })
    }
    const { results } = await workspace.search({ q: "garage" })
    assert.deepStrictEqual(results.map(({ title }) => title), ["short", "long"])
  })

  it("replaces the logger", async () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => void lines.push(message))
    const embedder = {
      model: "broken",
      dimensions: 2,
      batch: 8,
      embed: () => Effect.die(new Error("a bug of the host's own"))
    }
    await using kb = await open({ storage: "memory", embedder, logger })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    await workspace.search({ q: "anything" }).catch(() => undefined)
    assert.isAbove(lines.length, 0)
  })

  it("sets the clock of ranges and background work", async () => {
    const clock = await Effect.runPromise(
      Effect.flatMap(
        Effect.scoped(Layer.build(TestClock.layer())),
        (built) => Effect.provideContext(Effect.andThen(TestClock.setTime(Date.UTC(2031, 4, 1)), Clock.Clock), built)
      )
    )
    await using kb = await open({ storage: "memory", clock })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const connector = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    assert.strictEqual(new Date(connector.created_at).toISOString(), "2031-05-01T00:00:00.000Z")
  })

  it("delivers webhooks with its own sender", async () => {
    const sent = Promise.withResolvers<WebhookRequest>()
    const webhookSender: Sender = {
      check: () => Effect.void,
      send: (request) =>
        Effect.sync(() => {
          sent.resolve(request)
          return { status: 204, body: "", retryAfterSeconds: undefined }
        })
    }
    const encryptionKeys = [crypto.getRandomValues(new Uint8Array(32))]
    await using kb = await open({ storage: "memory", encryptionKeys, webhookSender })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const url = "https://example.org/events"
    await workspace.webhooks.create({ url, event_types: ["document.created"] })
    const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    await workspace.ingest.text(connector_id, [{ external_id: "keys", text: "The spare key is kept in locker 7." }])
    const request = await sent.promise
    assert.strictEqual(request.url, url)
    assert.include(request.body, "\"external_id\":\"keys\"")
  })

  it("offers no webhooks without a sender", async () => {
    await using kb = await open({ storage: "memory" })
    const { webhooks } = await kb.createWorkspace({ name: "Handbook" })
    const refused = await webhooks.create({ url: "https://example.org/", event_types: ["document.created"] })
      .catch((error: unknown) => error)
    assert.match(String(refused), /its host provides no sender/)
  })

  it("counts requests in its own store", async () => {
    const taken: Array<string> = []
    const rateWindows = {
      take: (_: string, operation: string) =>
        Effect.sync(() => {
          taken.push(operation)
          return { count: 1, resetMillis: 1_000, allowed: taken.length === 1 }
        }),
      peek: () => Effect.succeed({ count: 0, resetMillis: 1_000 })
    }
    await using kb = await open({ storage: "memory", rateWindows })
    const workspace = await kb.createWorkspace({ name: "Guest", tier: "free" })
    await workspace.search({ q: "anything" })
    const refused = await workspace.search({ q: "anything" }).catch((error: unknown) => error)
    assert.instanceOf(refused, RateLimitError)
    assert.deepStrictEqual(taken, ["search 60", "search 60"])
  })
})

describe.skipIf(databaseUrl === null)("Segments of a Postgres", () => {
  const long = Array.from({ length: 30_000 }, (_, at) => `Locker ${at}.`).join(" ")
  const schema = `cached_${crypto.randomUUID().replaceAll("-", "")}`
  const directory = mkdtempSync(join(tmpdir(), "tributary-segments-"))
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await dropSchema(schema)
  })

  it.each(
    [
      ["in another thread than the host's", {}, true],
      ["in the host's thread if it wants no other", { indexing: "thread" }, false]
    ] as const
  )("are built %s", async (_, indexing, isElsewhere) => {
    let threads = 0
    const count = () => void threads++
    process.on("worker", count)
    try {
      await using kb = await open({ storage: "postgres", url: databaseUrl!, schema, ...indexing })
      const workspace = await kb.createWorkspace({ name: "Handbook" })
      const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
      await workspace.ingest.text(connector_id, [{ text: long }])
      await isFolded(workspace)
    } finally {
      process.off("worker", count)
    }
    assert.strictEqual(threads > 0, isElsewhere)
  })

  it("are read from the host's directory after they were read from the database", async () => {
    const options = { storage: "postgres", url: databaseUrl!, schema, segmentCache: { directory } } as const
    const id = await open(options).then(async (kb) => {
      const workspace = await kb.createWorkspace({ name: "Handbook" })
      const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
      await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
      await isFolded(workspace)
      await kb.close()
      return workspace.id
    })
    const found = async () => {
      await using kb = await open(options)
      return (await kb.workspace(id).search({ q: "spare key" })).results.map(({ title }) => title)
    }
    assert.deepStrictEqual(await found(), ["Keys"])
    await execute(`ALTER TABLE ${schema}.segments RENAME TO elsewhere`)
    assert.deepStrictEqual(await found(), ["Keys"])
  })
})

describe.skipIf(databaseUrl === null)("A pool of the host's", () => {
  it("stores the knowledge in a separate schema, beside the host's tables, and stays open", async () => {
    const schema = `pool_${crypto.randomUUID().replaceAll("-", "")}`
    const pool = new Pool({ connectionString: databaseUrl!, max: 5 })
    try {
      const id = await open({ storage: "postgres", sql: pool, schema }).then(async (kb) => {
        const { connectors, id, ingest } = await kb.createWorkspace({ name: "Handbook" })
        const { connector_id } = await connectors.create({ name: "Handbook", source_name: "handbook" })
        await ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
        await kb.close()
        return id
      })
      assert.strictEqual(pool.totalCount, pool.idleCount)
      const { rows } = await pool.query(`SELECT text FROM ${schema}.chunks`)
      assert.deepStrictEqual(rows, [{ text: "The spare key is kept in locker 7." }])
      await using again = await open({ storage: "postgres", sql: pool, schema, migrate: "check" })
      assert.include((await again.workspace(id).ask({ query: "Where is the spare key?" })).response, "locker 7")
    } finally {
      await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await pool.end()
    }
  })
})
