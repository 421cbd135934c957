/** Servers on one Postgres that pull from the same sources. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { faultIt } from "../../../../.ci/faultIt.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"
import { AMID_FIRST_SYNC, died, diesAt, eventually, killAll, paused, pausesAt, start } from "./support/nodes.ts"
import { Pulled } from "./support/Pulled.ts"
import { type RealSource, SOURCES } from "./support/realSources.ts"
import { postgresStore } from "./support/stores.ts"

const ROUNDS = 5

const FEED = `<rss><channel><item><guid>a</guid><description>quokka</description></item></channel></rss>`

/** A feed whose responses the test controls. */
const startSlowFeed = async () => {
  const waiting = new Set<ServerResponse>()
  let [most, asked, left] = [0, 0, 0]
  const server = createServer((_request, response) => {
    asked++
    waiting.add(response)
    most = Math.max(most, waiting.size)
    response.once("close", () => {
      waiting.delete(response)
      left++
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen: () => ({ most, asked, left, waiting: waiting.size }),
    answer: () => {
      for (const response of waiting) response.end(FEED)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

describe.skipIf(databaseUrl === null)("two servers that pull from one source", { timeout: TIMEOUT }, () => {
  const { settings, ...rows } = postgresStore(databaseUrl ?? "postgres://none")
  let source: RealSource
  let feed: Awaited<ReturnType<typeof startSlowFeed>>
  let first: RunningServer
  let second: RunningServer

  beforeAll(async () => {
    ;[source, feed] = await Promise.all([SOURCES["files"]!.start(), startSlowFeed()])
    const store = {
      ...rows,
      settings: { ...settings, ...source.settings, TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "true" }
    }
    ;[first, second] = await Promise.all([start(store), start(store)])
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    await rows.remove()
    feed?.close()
    await source?.stop()
  }, TIMEOUT)

  it("never do it concurrently, and stop a hanging one within seconds of a cancel", async () => {
    const connecting = Pulled.connect(first, "feed", { config: { url: feed.url }, password: null, resource: "feed" })
    await eventually("the source is tried", async () => feed.seen().waiting === 1)
    feed.answer()
    const pulled = await connecting
    await eventually("the first sync asks", async () => feed.seen().waiting === 1 && feed.seen().asked === 2)
    feed.answer()
    assert.strictEqual((await pulled.over(first)).status, "completed")
    const asksAgain = async (...nodes: ReadonlyArray<RunningServer>) => {
      const { asked } = feed.seen()
      await Promise.all(nodes.map((node) => pulled.start(node)))
      await eventually("a sync asks", async () => feed.seen().asked > asked)
    }
    for (let round = 0; round < ROUNDS; round++) {
      await asksAgain(first, second, first, second)
      // Requests during a sync queue one more.
      await eventually("all is answered", async () => {
        feed.answer()
        return (await pulled.state(second)).status === "completed" && feed.seen().waiting === 0
      })
    }
    assert.strictEqual(feed.seen().most, 1)

    await asksAgain(first)
    const { left } = feed.seen()
    // Any of the servers may pull, and any may be notified.
    assert.strictEqual((await pulled.cancel(second)).status, "cancelled")
    await eventually("the source is left", async () => feed.seen().left > left)
    assert.strictEqual((await pulled.state(first)).status, "cancelled")
  })

  faultIt("store nothing over what the other one has pulled while they slept past their lease", async () => {
    const pulled = await Pulled.connect(first, "files", source)
    assert.strictEqual((await pulled.over(first)).status, "completed")
    second.child.kill("SIGSTOP")
    await pausesAt(first, `before "admit_at_once"\\(`)
    await source.fill(5)
    const asked = pulled.start(first).catch(() => undefined)
    await paused(first)
    const before = source.ids()
    const { created, deleted } = await source.change()
    await rows.query(`UPDATE ${rows.schema}.jobs SET lease_until = now() WHERE status = 'running'`)
    second.child.kill("SIGCONT")
    const now = before.filter((id) => !deleted.includes(id)).concat(created).toSorted()
    await eventually("the other one pulls", async () => (await pulled.documents(second)) === now.length)
    assert.strictEqual((await pulled.over(second)).status, "completed")
    first.child.kill("SIGCONT")
    await asked
    assert.strictEqual((await pulled.sync(first)).status, "completed")
    const { difference } = await pulled.changes(first)
    assert.deepStrictEqual(difference, { created: now, updated: [], deleted: [] })
    await pulled.disconnect(second)
  })

  faultIt("continue where a killed one stopped", async () => {
    const { beyondCheckpoint } = SOURCES["files"]!
    await source.fill(beyondCheckpoint)
    second.child.kill("SIGSTOP")
    await diesAt(first, AMID_FIRST_SYNC)
    const pulled = await Pulled.connect(first, "files", source)
    await died(first)
    second.child.kill("SIGCONT")
    // Expires its leases.
    await rows.query(`UPDATE ${rows.schema}.jobs SET lease_until = now() WHERE status = 'running'`)
    const stored = await pulled.documents(second)
    assert.isTrue(stored > 0 && stored < beyondCheckpoint, `${stored} of ${beyondCheckpoint} were stored`)
    const after = await pulled.over(second)
    assert.deepInclude(after, { status: "completed", items_deleted: 0, deletions_held: 0 }, after.error ?? "")
    const { difference } = await pulled.changes(second)
    assert.deepStrictEqual(difference, { created: source.ids().toSorted(), updated: [], deleted: [] })
    await source.add("wombat")
    await eventually("it watches, too", async () => (await pulled.documents(second)) === source.ids().length)
  })
})
