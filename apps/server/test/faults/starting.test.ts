/** Servers that are killed during migration, and servers that start meanwhile and afterwards. */
import { afterAll, assert, describe, it } from "vitest"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import { seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { died, eventually, killAll, type Moment, start, startDoomed } from "./support/nodes.ts"
import { embeddedStore, postgresStore, type TestStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

const migrating: ReadonlyArray<Moment> = [
  "sent CREATE UNIQUE INDEX jobs_running",
  "before CREATE TABLE",
  "answered INSERT INTO",
  "sent COMMIT",
  "answered COMMIT"
]

/** Of two servers, either may be the one that opens the first account. */
const opening: ReadonlyArray<Moment> = ["sent open_workspace", "answered INSERT INTO \\S*\"api_keys\""]

/** The embedded tables are created in one step. */
const onEmbedded: ReadonlyArray<Moment> = [
  "before createAccount",
  "sent createAccount",
  "answered createAccount",
  "answered insertKey"
]

const starts: ReadonlyArray<readonly [open: () => TestStore, moments: ReadonlyArray<Moment>]> = [
  [() => embeddedStore(), onEmbedded],
  ...databaseUrl === null ? [] : [[() => postgresStore(databaseUrl ?? ""), [...migrating, ...opening]] as const]
]

describe("servers that start", { timeout: TIMEOUT }, () => {
  const stores: Array<TestStore> = []

  afterAll(async () => {
    await killAll()
    for (const store of stores) await store.remove()
  }, TIMEOUT)

  const works = async (store: TestStore, node: Awaited<ReturnType<typeof start>>) => {
    const tenant = await Tenant.open(node)
    await tenant.ingest(node, new Map([["a", newText()]]))
    await seenBy(node, tenant)
    await node.stop()
    // Those of the first start, and of the tenant.
    assert.strictEqual((await store.query(`SELECT 1 FROM ${store.schema}.workspaces`)).length, 2)
  }

  /** The first one creates the tables. */
  const locked = ({ query, schema }: TestStore) =>
    eventually("a server makes the tables", async () => {
      const locks = await query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND ((classid::bigint << 32) | objid::bigint) = hashtextextended('tributary migrations ${schema}', 0)`)
      return locks.length > 0
    })

  for (const [open, moments] of starts) {
    for (const moment of moments) {
      it(`on a store where one was killed (${moment}) find a consistent store`, async () => {
        const store = open()
        stores.push(store)
        const doomed = startDoomed(store, moment)
        const isMigrating = store.kind === "postgres" && migrating.includes(moment)
        // Another one may start meanwhile, and waits for the first one's lock.
        if (isMigrating) await Promise.race([doomed.ended, locked(store)])
        const beside = isMigrating ? start(store) : null
        await died(doomed)
        await works(store, await (beside ?? start(store)))
      })
    }
  }
})
