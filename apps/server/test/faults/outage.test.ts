/** The server's Postgres is stopped, crashes, and restarts during work. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import { type OwnServer, startOwnServer } from "../../../../packages/postgres/test/support/ownServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { rowsBecomeSound, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { postgresStore, type TestStore } from "./support/stores.ts"
import { type Answer, COMMON, newText, Tenant } from "./support/Tenant.ts"

const database: OwnServer | null = await startOwnServer()

describe.skipIf(database === null)("while the database is unavailable", { timeout: TIMEOUT }, () => {
  let store: TestStore
  let node: RunningServer
  let tenant: Tenant

  beforeAll(async () => {
    store = postgresStore(database!.url)
    node = await start(store)
    tenant = await Tenant.open(node)
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    database!.close()
  }, TIMEOUT)

  /** Every response is a success, or a 503 with Retry-After. */
  const load = () => {
    const counts = { isOver: false, served: 0, refused: 0 }
    const count = ({ body, headers, status }: Answer<unknown>) => {
      if (status === 503) {
        assert.isAtLeast(Number(headers.get("retry-after")), 1)
        counts.refused++
      } else {
        assert.include([200, 202], status, JSON.stringify(body))
        counts.served++
      }
    }
    const clients = Array.from({ length: 4 }, async (_, client) => {
      for (let at = 0; !counts.isOver; at++) {
        count(await tenant.ingest(node, new Map([[`${client}-${at % 9}`, newText()]])))
        count(await tenant.send(node, "POST", "/v1/knowledge/search", { q: COMMON }))
        if (at % 5 === 0) count(await tenant.remove(node, [`${client}-${at % 3}`]))
        if (at % 7 === 0) count(await tenant.configure(node, 1 + at % 300))
        if (at % 10 === 0) count(await tenant.send(node, "POST", "/v1/knowledge/ask", { query: COMMON, async: true }))
      }
    })
    return Object.assign(counts, {
      end: async () => {
        counts.isOver = true
        await Promise.all(clients)
      }
    })
  }

  const growsBy = (what: string, count: () => number, by: number) => {
    const enough = count() + by
    return eventually(what, async () => count() >= enough)
  }

  it.each(extent(["SIGQUIT"] as const, ["SIGINT", "SIGQUIT"] as const))(
    "by %s, requests get 503 with Retry-After, and succeed when it is back",
    async (signal) => {
      const clients = load()
      await growsBy("requests are served", () => clients.served, 40)
      await database!.stop(signal)
      await growsBy("requests are refused", () => clients.refused, 20)
      assert.strictEqual((await fetch(`${node.url}/readyz`)).status, 503)
      assert.strictEqual((await fetch(`${node.url}/healthz`)).status, 200)
      await database!.start()
      await growsBy("requests are served again", () => clients.served, 40)
      await clients.end()
      assert.strictEqual((await fetch(`${node.url}/readyz`)).status, 200)
      tenant.ledger.settle()
      await seenBy(node, tenant)
      await rowsBecomeSound(store, tenant)
    }
  )
})
