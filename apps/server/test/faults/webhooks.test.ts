/** Servers that are killed while they deliver events, and two on one Postgres. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import { api, type RunningServer } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"
import { type HookReceiver, ordersOf, startReceiver } from "./support/hookReceiver.ts"
import { died, diesAt, eventually, killAll, type Moment, start } from "./support/nodes.ts"
import { embeddedStore, postgresStore, type TestStore } from "./support/stores.ts"
import { Tenant } from "./support/Tenant.ts"

const TYPES = ["document.created", "document.updated", "document.deleted"]

interface Listed {
  readonly events: ReadonlyArray<{ readonly event_id: string; readonly external_id: string }>
  readonly next_cursor: string | null
}

/** For each document, the ids of its events in the order of the log. */
const logOf = async (node: RunningServer, key: string) => {
  const orders = new Map<string, Array<string>>()
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Listed = await api(
      { url: node.url, key },
      "GET",
      `/v1/runtime/events?limit=100${cursor && `&cursor=${cursor}`}`
    )
    for (const { event_id, external_id } of page.events) {
      orders.set(external_id, [...orders.get(external_id) ?? [], event_id])
    }
    cursor = page.next_cursor
  }
  return orders
}

const sizeOf = (orders: ReadonlyMap<string, ReadonlyArray<string>>) => [...orders.values()].flat().length

const hook = async (node: RunningServer, tenant: Tenant, receiver: HookReceiver) => {
  const { key } = tenant
  const webhook = await api<{ readonly webhook_id: string; readonly secret: string }>(
    { url: node.url, key },
    "POST",
    "/v1/webhooks",
    { url: receiver.url, event_types: TYPES }
  )
  receiver.secret = webhook.secret
  return webhook
}

/** Makes deliveries due now, except those behind an earlier event of their document. */
const sendPending = async (node: RunningServer, key: string, webhookId: string) => {
  const path = `/v1/webhooks/${webhookId}/deliveries`
  interface Delivery {
    readonly event_id: string
    readonly next_attempt_at: string | null
  }
  const { deliveries } = await api<{ readonly deliveries: ReadonlyArray<Delivery> }>(
    { url: node.url, key },
    "GET",
    `${path}?status=pending&limit=100`
  )
  for (const { event_id, next_attempt_at } of deliveries) {
    if (next_attempt_at !== null) await api({ url: node.url, key }, "POST", `${path}/${event_id}/send`)
  }
}

const texts = (round: number, count = 20) =>
  new Map(Array.from({ length: count }, (_, at) => [`note-${at}`, `round ${round} of note ${at}`]))

/** The same store, whose servers may send to this machine and have encryption keys. */
const sending = <Store extends TestStore>(store: Store): Store => ({
  ...store,
  settings: {
    ...store.settings,
    TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "127.0.0.1",
    TRIBUTARY_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString("base64")
  }
})

const leasesRunOut = ({ kind, query, schema }: TestStore) =>
  kind === "embedded" ? [] : query(`UPDATE ${schema}.jobs SET lease_until = now() WHERE status = 'running'`)

const STORES: ReadonlyArray<() => TestStore> = [
  () => embeddedStore(),
  ...[databaseUrl ?? []].flat().map((url) => () => postgresStore(url))
]

for (const newStore of STORES) {
  const store = newStore()
  describe(`a server on ${store.kind} that is killed while it delivers events`, { timeout: TIMEOUT }, () => {
    let receiver: HookReceiver
    const served = sending(store)

    beforeAll(async () => {
      receiver = await startReceiver()
    }, TIMEOUT)

    afterAll(async () => {
      await killAll()
      await store.remove()
      receiver?.close()
    }, TIMEOUT)

    it(
      "leaves unacknowledged events to the next one, without loss and in order per document",
      async () => {
        let node = await start(served)
        const tenant = await Tenant.open(node)
        const { webhook_id } = await hook(node, tenant, receiver)
        // Some are refused for a while, so that deliveries wait while the server dies.
        receiver.statusOf = (count) => count % 7 === 0 ? 503 : 204
        const moments: ReadonlyArray<Moment> = [
          "before append_deliveries|^appendDeliveries$",
          "sent append_deliveries|^appendDeliveries$",
          "answered append_deliveries|^appendDeliveries$",
          "before 5. record_delivery|^recordDelivery$",
          "sent 5. record_delivery|^recordDelivery$",
          "answered 5. record_delivery|^recordDelivery$"
        ]
        for (const [round, moment] of moments.entries()) {
          await diesAt(node, moment)
          await tenant.ingest(node, texts(round))
          await died(node)
          await leasesRunOut(store)
          node = await start(served)
        }
        receiver.statusOf = () => 204
        const log = await logOf(node, tenant.key)
        assert.isAtLeast(sizeOf(log), 20)
        await sendPending(node, tenant.key, webhook_id)
        await eventually("all events have come", async () => sizeOf(ordersOf(receiver)) === sizeOf(log))
        assert.deepStrictEqual([...ordersOf(receiver)].toSorted(), [...log].toSorted())
        assert.strictEqual(receiver.unverified, 0)
      }
    )
  })
}

describe.skipIf(databaseUrl === null)("two servers on one Postgres", { timeout: TIMEOUT }, () => {
  const store = postgresStore(databaseUrl ?? "postgres://none")
  let receiver: HookReceiver

  beforeAll(async () => {
    receiver = await startReceiver()
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    await store.remove()
    receiver?.close()
  }, TIMEOUT)

  it("deliver each event once, in the order of its document, to the workspace's webhook alone", async () => {
    const served = sending(store)
    const [first, second] = await Promise.all([start(served), start(served)])
    const [tenant, stranger] = [await Tenant.open(first), await Tenant.open(second)]
    await hook(first, tenant, receiver)
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        tenant.ingest(round % 2 === 0 ? first : second, texts(round, 30)),
        stranger.ingest(second, texts(round))
      ])
    }
    const log = await logOf(first, tenant.key)
    assert.strictEqual(sizeOf(log), 300)
    await eventually("all events have come", async () => receiver.got.length >= 300)
    assert.strictEqual(receiver.got.length, 300)
    assert.deepStrictEqual([...ordersOf(receiver)].toSorted(), [...log].toSorted())
    assert.strictEqual(receiver.unverified, 0)
  })
})
