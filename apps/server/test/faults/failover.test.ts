/** The database's primary is killed, and its standby is promoted. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { RunningServer } from "../serverProcess.ts"
import { rowsBecomeSound, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { type Replicated, startReplicated } from "./support/replicated.ts"
import { postgresStore, type TestStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

/** The minimum of acknowledged writes before the primary dies. */
const ACKNOWLEDGED = 25

describe("two servers whose primary database is killed", { timeout: TIMEOUT }, () => {
  let database: Replicated | null
  let store: TestStore

  beforeAll(async () => {
    database = await startReplicated()
    if (database !== null) store = postgresStore(database.url)
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    await database?.close()
  }, TIMEOUT)

  it("continue with the standby by themselves, without losing acknowledged writes", async ({ skip }) => {
    if (database === null) return skip()
    const nodes = [await start(store), await start(store)]
    const tenant = await Tenant.open(nodes[0]!)
    const counts = new Map<RunningServer, number>()
    let sent = 0
    const over = new AbortController()
    const client = async (node: RunningServer) => {
      while (!over.signal.aborted) {
        const texts = new Map(Array.from({ length: 3 }, () => [`note-${++sent}`, newText(sent % 3 * 50)]))
        const { status } = await tenant.ingest(node, texts)
        if (status === 200) counts.set(node, (counts.get(node) ?? 0) + 1)
        else assert.include([0, 503], status)
      }
    }
    const clients = nodes.flatMap((node) => [client(node), client(node)])
    const acknowledge = () =>
      eventually("both take in again", async () => nodes.every((node) => (counts.get(node) ?? 0) >= ACKNOWLEDGED))
    await acknowledge()

    await database.failOver()
    counts.clear()
    const promoted = performance.now()
    await eventually("both take in again", async () => nodes.every((node) => counts.has(node)))
    assert.isBelow((performance.now() - promoted) / 1_000, 20)
    await acknowledge()
    over.abort()
    await Promise.all(clients)

    tenant.ledger.settle()
    for (const node of nodes) await seenBy(node, tenant)
    await rowsBecomeSound(store, tenant)
  })
})
