/** Concurrent servers on one Postgres, with different clocks: races, and effects of one on the others. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { faultIt } from "../../../../.ci/faultIt.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { type Balancer, startBalancer } from "./support/balancer.ts"
import { TIMEOUT } from "./support/extent.ts"
import { rowsBecomeSound, seenBy } from "./support/check.ts"
import { ADMIN_TOKEN, eventually, kill, killAll, setClock, start } from "./support/nodes.ts"
import { postgresStore } from "./support/stores.ts"
import { COMMON, newText, request, Tenant } from "./support/Tenant.ts"

const MINUTE = 60_000

const store = postgresStore(databaseUrl ?? "postgres://none")

/** One each. */
const texts = (...ids: ReadonlyArray<string>) => new Map(ids.map((id) => [id, newText()]))

describe.skipIf(databaseUrl === null)("servers with clocks minutes apart", { timeout: TIMEOUT }, () => {
  let fast: RunningServer
  let slow: RunningServer
  let balancer: Balancer

  const startFast = () => start(store, { clockOffset: 4 * MINUTE })
  const startSlow = () => start(store, { clockOffset: -4 * MINUTE })

  beforeAll(async () => {
    balancer = await startBalancer()
    fast = await startFast()
    slow = await startSlow()
    balancer.serve([fast.url, slow.url])
  }, TIMEOUT)

  afterAll(async () => {
    balancer.close()
    await killAll()
    await store.remove()
  }, TIMEOUT)

  const check = async (tenant: Tenant) => {
    tenant.ledger.settle()
    for (const node of [fast, slow]) await seenBy(node, tenant)
    await rowsBecomeSound(store, tenant)
  }

  it("fill a nearly full workspace exactly to its cap", async () => {
    const tenant = await Tenant.open(fast, { documents: 30 })
    await tenant.ingest(fast, texts(...Array.from({ length: 24 }, (_, at) => `first-${at}`)))
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        (_, at) => tenant.ingest(at % 2 === 0 ? fast : slow, texts("shared", `${at}-a`, `${at}-b`))
      )
    )
    // 402 if no item of a request fits.
    for (const { status } of answers) assert.include([200, 402], status)
    assert.strictEqual((await tenant.documents(slow)).length, 30)
    await check(tenant)
  })

  faultIt("fill the remaining storage to the byte", async () => {
    const tenant = await Tenant.open(fast)
    const size = newText(100).length
    const one = await tenant.ingest(fast, new Map([["one", newText(100)]]))
    assert.strictEqual(one.status, 200)
    await request(slow, ADMIN_TOKEN, "PATCH", `/admin/v1/workspaces/${tenant.workspaceId}`, {
      limits: { storage: size * 4 + 3 }
    })
    await Promise.all(
      Array.from(
        { length: 8 },
        (_, at) => tenant.ingest(at % 2 === 0 ? fast : slow, new Map([[`more-${at}`, newText(100)]]))
      )
    )
    const stored = await tenant.documents(slow)
    assert.deepStrictEqual(stored.map((document) => document.size), [size, size, size, size])
    await check(tenant)
  })

  faultIt("converge after two concurrent changes of the settings, with one snapshot", async () => {
    const tenant = await Tenant.open(fast)
    await tenant.ingest(fast, texts("a", "b", "c"))
    for (let round = 1; round <= 5; round++) {
      const answers = await Promise.all([tenant.configure(fast, round * 10), tenant.configure(slow, round * 10 + 1)])
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200])
    }
    const settings = (node: RunningServer) => tenant.ask<object>(node, "GET", "/v1/knowledge/settings")
    assert.deepStrictEqual(await settings(fast), await settings(slow))
    await check(tenant)
  })

  faultIt("keep a document deleted that one server deletes while another replaces it", async () => {
    const tenant = await Tenant.open(fast)
    const ids = Array.from({ length: 12 }, (_, at) => `note-${at}`)
    await tenant.ingest(fast, texts(...ids))
    for (const [first, second] of [[fast, slow], [slow, fast]] as const) {
      await Promise.all(ids.flatMap((id) => [tenant.remove(first, [id]), tenant.ingest(second, texts(id))]))
      await check(tenant)
      await Promise.all(ids.map((id, at) => tenant.remove(at % 2 === 0 ? first : second, [id])))
      assert.deepStrictEqual(await tenant.documents(second), [])
      await check(tenant)
      await tenant.ingest(second, texts(...ids))
    }
  })

  faultIt("share a workspace's rate windows behind a load balancer", async () => {
    const tenant = await Tenant.open(slow, { search: { limit: 10, window_seconds: 60 } })
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => tenant.send(balancer, "POST", "/v1/knowledge/search", { q: COMMON }))
    )
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 10)
    for (const { headers, status } of answers.filter(({ status }) => status !== 200)) {
      assert.strictEqual(status, 429)
      assert.isAtMost(Number(headers.get("retry-after")), 60)
      assert.isAtLeast(Number(headers.get("retry-after")), 50)
    }
  })

  it("refuse a revoked key from the first request on, on every server", async () => {
    const tenant = await Tenant.open(fast)
    const keys = `/admin/v1/workspaces/${tenant.workspaceId}/api-keys`
    for (const [revoking, other] of [[fast, slow], [slow, fast]] as const) {
      const { body: { key_id, secret } } = await request<{ readonly key_id: string; readonly secret: string }>(
        revoking,
        ADMIN_TOKEN,
        "POST",
        keys,
        { name: "short-lived", scopes: ["api:read"] }
      )
      const statusOn = async (node: RunningServer) => (await request(node, secret, "GET", "/v1/usage/current")).status
      assert.deepStrictEqual([await statusOn(revoking), await statusOn(other)], [200, 200])
      await request(revoking, ADMIN_TOKEN, "DELETE", `/admin/v1/api-keys/${key_id}`)
      assert.deepStrictEqual([await statusOn(other), await statusOn(revoking)], [401, 401])
    }
  })

  it("accept what another one has issued for a minute, and date what they store alike, even after a clock was set", async () => {
    const tenant = await Tenant.open(fast)
    type Issued = { readonly token: string; readonly expires_at: string }
    const check = async () => {
      for (const [issuing, other] of [[slow, fast], [fast, slow]] as const) {
        const { expires_at, token } = await tenant.ask<Issued>(issuing, "POST", "/v1/tokens", { expires_in: 60 })
        assert.closeTo(Date.parse(expires_at), Date.now() + MINUTE, 10_000)
        assert.strictEqual((await request(other, token, "GET", "/v1/usage/current")).status, 200)
      }
    }
    await check()
    await setClock(fast, -26 * 60 * MINUTE)
    await eventually("it has noticed", () => check().then(() => true, () => false))
    await setClock(fast, 4 * MINUTE)
    await eventually("it has noticed", () => check().then(() => true, () => false))
  })

  faultIt("can be added and removed behind a load balancer without losing acknowledged writes", async () => {
    const tenant = await Tenant.open(slow)
    const work = { isOver: false, acknowledged: 0 }
    const clients = Array.from({ length: 4 }, async (_, client) => {
      for (let at = 0; !work.isOver; at++) {
        const { status } = at % 4 === 3
          ? await tenant.remove(balancer, [`${client}-${at % 7}`])
          : await tenant.ingest(balancer, texts(`${client}-${at % 7}`, `${client}-${at % 11}`))
        assert.include([200, 502], status)
        if (status === 200) work.acknowledged++
      }
    })
    const more = async (count: number) => {
      const enough = work.acknowledged + count
      await eventually("the service goes on", async () => work.acknowledged >= enough)
    }
    await more(20)
    await kill(fast)
    await more(20)
    balancer.serve([slow.url])
    fast = await startFast()
    balancer.serve([fast.url, slow.url])
    await more(20)
    // A server that stops loses no request if the balancer sends it no further one.
    balancer.serve([fast.url])
    assert.strictEqual(await slow.stop(), 0)
    await more(10)
    slow = await startSlow()
    balancer.serve([slow.url, fast.url])
    await more(10)
    work.isOver = true
    await Promise.all(clients)
    await check(tenant)
  })

  faultIt("take over jobs that a fast clock postponed, when its server is killed", async () => {
    const tenant = await Tenant.open(slow)
    await tenant.ingest(slow, texts("a"))
    await check(tenant)
    // It is killed right after its response, possibly before its own worker has started.
    const { body, status } = await tenant.send<{ readonly job_id: string }>(
      fast,
      "POST",
      "/v1/knowledge/ask",
      { query: COMMON, async: true }
    )
    await tenant.ingest(fast, texts("b"))
    await kill(fast)
    assert.strictEqual(status, 202)
    await store.query(`UPDATE ${store.schema}.jobs SET lease_until = now() WHERE status = 'running'`)
    await eventually("the slow one has answered", async () => {
      const job = await tenant.ask<{ readonly status: string }>(
        slow,
        "GET",
        `/v1/knowledge/ask/jobs/${body.job_id}?wait=5`
      )
      return job.status === "succeeded"
    })
    tenant.ledger.settle()
    await seenBy(slow, tenant)
    fast = await startFast()
  })
})
