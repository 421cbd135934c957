/** Servers of two releases on one Postgres: the older ones continue while the newer one migrates, and afterwards. */
import { afterAll, assert, describe, it } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import { migrations } from "../../../../packages/postgres/src/migrations/index.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { rowsBecomeSound, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { fetchReleaseBefore } from "./support/releaseBefore.ts"
import { postgresStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

/** Rounds of each server's client before the next step of the upgrade. */
const ROUNDS = 10

const before = extent(() => null, () => databaseUrl === null ? null : fetchReleaseBefore())()

describe("the newest migration", () => {
  it("lets servers run on that do not have it", () =>
    assert.isBelow(migrations.at(-1)!.oldestCompatible, migrations.length))
})

const suite = () => {
  const store = postgresStore(databaseUrl ?? "postgres://none")

  afterAll(async () => {
    await killAll()
    await store.remove()
    before?.remove()
  }, TIMEOUT)

  it("serve together while the schema migrates, without an error and without a loss", async () => {
    const { main } = before!
    const countMigrations = async () => {
      const rows = await store.query<{ readonly name: string }>(`SELECT name FROM ${store.schema}.migrations`)
      return rows.length
    }
    const older = await start(store, { main })
    const known = await countMigrations()
    const tenant = await Tenant.open(older)
    const rounds = new Map<RunningServer, number>()
    const names = new Set(["notes"])
    let sent = 0

    /** Each request succeeds, in every state of the schema. */
    const client = async (node: RunningServer, isOver: AbortSignal) => {
      for (let round = 1; !isOver.aborted; round++) {
        const ids = Array.from({ length: 3 }, () => `note-${++sent}`)
        const name = `source-${sent}`
        const texts = new Map(ids.map((id) => [id, newText(round % 3 * 50)]))
        const body = { name, source_name: name }
        const answers = [
          await tenant.ingest(node, texts),
          await tenant.remove(node, ids.slice(0, 1)),
          await tenant.send(node, "POST", "/v1/custom-connectors", body),
          await tenant.send(node, "POST", "/v1/knowledge/ask", { query: "What is it?", async: round % 2 === 0 }),
          await tenant.configure(node, 300 + sent),
          await tenant.send(node, "GET", "/v1/knowledge/status")
        ]
        names.add(name)
        for (const { body, status } of answers) assert.include([200, 201, 202], status, JSON.stringify(body))
        rounds.set(node, round)
      }
    }
    const over = new AbortController()
    const clients: Array<Promise<void>> = []
    const serve = (node: RunningServer) => clients.push(client(node, over.signal))
    const goOn = async () => {
      const from = new Map(rounds)
      const advanced = eventually(
        "every server serves on",
        async () =>
          rounds.size === clients.length &&
          [...rounds].every(([node, round]) => round >= (from.get(node) ?? 0) + ROUNDS)
      )
      await Promise.race([advanced, Promise.all(clients)])
    }

    serve(older)
    await goOn()
    const newer = await start(store)
    assert.isAbove(await countMigrations(), known, "the newer one migrates")
    serve(newer)
    await goOn()
    const restarted = await start(store, { main })
    serve(restarted)
    await goOn()
    over.abort()
    await Promise.all(clients)

    tenant.ledger.settle()
    for (const node of [older, newer, restarted]) {
      await seenBy(node, tenant)
      const listed = await tenant.ask<ReadonlyArray<{ readonly source_name: string }>>(
        node,
        "GET",
        "/v1/custom-connectors"
      )
      assert.sameMembers(listed.map(({ source_name }) => source_name), [...names])
    }
    await rowsBecomeSound(store, tenant)
    for (const node of [older, restarted]) assert.strictEqual(await node.stop(), 0)
    await seenBy(newer, tenant)
  })
}

if (before !== null) describe("servers of two releases", { timeout: TIMEOUT }, suite)
