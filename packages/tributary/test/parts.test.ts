// Each part of the service that a host may replace, replaced from the outside.
import type { Provider } from "@tributary/core/ports/Provider"
import { Effect, Logger, Schema, Stream } from "effect"
import { assert, describe, it, vi } from "vitest"
import { open, ValidationError } from "../src/open.ts"

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
})
