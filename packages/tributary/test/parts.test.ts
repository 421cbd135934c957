// Each part of the service that a host may replace, replaced from the outside.
import type { Provider } from "@tributary/core/ports/Provider"
import { RANKING } from "@tributary/core/Tributary"
import type { Sender, WebhookRequest } from "@tributary/core/WebhookSender"
import { Clock, Effect, Layer, Logger, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Pool } from "pg"
import { assert, describe, it, vi } from "vitest"
import { databaseUrl } from "../../postgres/test/support/testServer.ts"
import { open, type Parts, RateLimitError, ValidationError } from "../src/open.ts"

const notes: Provider<{ readonly owner: string }> = {
  provider: "notes",
  name: "Notes",
  config: Schema.Struct({ owner: Schema.String }),
  syncDefaults: { start: { type: "relative", days: 30 }, interval_minutes: 60 },
  resources: () => Effect.succeed(["all"]),
  sync: () => Stream.empty
}

const fields = { number: "text", notes: "text" } as const

describe("A host", () => {
  it("has kinds of its own in one service, while another in the same process does not know them", async () => {
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

  it("offers providers of its own", async () => {
    await using kb = await open({ storage: "memory", providers: [notes as Provider] })
    const workspace = await kb.createWorkspace({ name: "Notes" })
    assert.deepStrictEqual((await workspace.providers.list()).map(({ provider }) => provider), ["notes"])
  })

  it("searches with an embedding model of its own", async () => {
    const embedded: Array<string> = []
    const embedder = {
      model: "constant",
      dimensions: 2,
      batch: 8,
      embed: (texts: ReadonlyArray<string>) =>
        Effect.sync(() => {
          embedded.push(...texts)
          return texts.map(() => [1, 0])
        })
    }
    await using kb = await open({ storage: "memory", embedder })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    await workspace.ingest.text(connector_id, [{ title: "Garage", text: "Bicycles stand in the basement." }])
    await vi.waitFor(
      async () => assert.strictEqual((await workspace.search({ q: "cyclist", mode: "semantic" })).count, 1),
      { timeout: 60_000, interval: 100 }
    )
    assert.isTrue(embedded.some((text) => text.includes("Bicycles")))
  })

  it("ranks what is found as it likes", async () => {
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
    assert.deepStrictEqual(await found({ rescore: (...hits) => RANKING.rescore(...hits).toReversed() }), [
      "long",
      "short"
    ])
  })

  it("decides where log lines go", async () => {
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

  it("sets the clock by which ranges and background work go", async () => {
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

  it("sends events to webhooks by its own sender", async () => {
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

  it("counts requests where it likes", async () => {
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
    assert.deepStrictEqual(taken, ["search", "search"])
  })
})

describe.skipIf(databaseUrl === null)("A pool of the host's", () => {
  it("keeps the knowledge in a schema of its own, beside the host's tables, and stays open", async () => {
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
