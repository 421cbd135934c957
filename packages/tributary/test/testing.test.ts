import { assert, describe, it, vi } from "vitest"
import { openForTests } from "../src/testing.ts"

const DAY = 86_400_000

describe("openForTests", () => {
  it("has a clock that only the test advances", async () => {
    await using test = await openForTests()
    const workspace = await test.kb.createWorkspace({ name: "Notes", tier: "free" })
    const connector = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
    assert.deepStrictEqual(connector.created_at, new Date(0))

    await workspace.ingest.text(connector.connector_id, [{ external_id: "note", text: "The lock code is 4711." }])
    await workspace.updateSettings({ temporal_settings: { start: { type: "relative", days: 7 }, end: null } })
    assert.isTrue((await workspace.ask({ query: "What is the lock code?" })).answered)
    await test.advance("8 days")
    assert.isFalse((await workspace.ask({ query: "What is the lock code?" })).answered)
    assert.strictEqual((await workspace.documents.getByExternalId(connector.connector_id, "note")).in_context, false)

    const later = await workspace.connectors.create({ name: "Later", source_name: "later" })
    assert.deepStrictEqual(later.created_at, new Date(8 * DAY))
  })

  it("runs due background work", async () => {
    await using test = await openForTests()
    const workspace = await test.kb.createWorkspace({ name: "Notes" })
    const { connector_id } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
    await workspace.ingest.text(connector_id, [{ text: "one" }])
    assert.strictEqual((await workspace.status()).pending_documents, 1)
    await test.advance("1 hour")
    await vi.waitFor(
      async () => assert.strictEqual((await workspace.status()).pending_documents, 0),
      { timeout: 150_000 }
    )
  })

  it("rolls rate windows over without waiting", async () => {
    await using test = await openForTests()
    const workspace = await test.kb.createWorkspace({ name: "Notes", tier: "free" })
    const ask = () => workspace.ask({ query: "q" }).then(() => "answered", (error: { code: string }) => error.code)
    for (let count = 0; count < 5; count++) assert.strictEqual(await ask(), "answered")
    assert.strictEqual(await ask(), "rate_limit_exceeded")
    await test.advance("60 seconds")
    assert.strictEqual(await ask(), "answered")
  })

  it("advances a year at once", async () => {
    await using test = await openForTests()
    const before = process.cpuUsage()
    await test.advance("365 days")
    const { system, user } = process.cpuUsage(before)
    assert.isBelow((system + user) / 1e6, 1)
    const workspace = await test.kb.createWorkspace({ name: "Notes" })
    const { created_at } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
    assert.deepStrictEqual(created_at, new Date(365 * DAY))
  })

  it("refuses to advance by what is no span of time, and works on", async () => {
    await using test = await openForTests()
    const workspace = await test.kb.createWorkspace({ name: "Notes" })
    for (const duration of ["soon", -5, Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
      const error: unknown = await test.advance(duration as "1 day").catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
      assert.include((error as Error).message, `such as "8 days", not ${String(duration)}`)
    }
    await test.advance("1 day")
    assert.strictEqual((await workspace.search({ q: "notes" }, { timeout: 60_000 })).count, 0)
    const { created_at } = await workspace.connectors.create({ name: "Notes", source_name: "notes" })
    assert.deepStrictEqual(created_at, new Date(DAY))
  })

  it("takes the host's own parts", async () => {
    await using test = await openForTests({ kinds: { invoice: { fields: { number: "text" }, title: ["number"] } } })
    const workspace = await test.kb.createWorkspace({ name: "Accounts" })
    const { connector_id } = await workspace.connectors.create({ name: "Billing", source_name: "billing" })
    const payload = { kind: "invoice", number: "2026-114" }
    await workspace.ingest.typed(connector_id, [{ external_id: "1", timestamp: new Date(0), payload }])
    const { results } = await workspace.search({ q: "2026-114", sources: ["invoice"] })
    assert.deepStrictEqual(results.map(({ title }) => title), ["2026-114"])
  })
})
