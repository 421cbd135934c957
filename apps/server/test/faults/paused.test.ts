/** A server that sleeps past its leases, as by SIGSTOP or a suspended machine, and goes on as if nothing had been. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { faultIt } from "../../../../.ci/faultIt.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { rowsBecomeSound, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { kill, killAll, paused, start } from "./support/nodes.ts"
import { postgresStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

const store = postgresStore(databaseUrl ?? "postgres://none")

const texts = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`note-${at}`, newText()]))

/** The published snapshots of the workspace, with what they are made of. */
const snapshots = ({ workspaceId }: Tenant) =>
  store.query<object>(`SELECT snapshot_id::text, position, change_seq, segments
    FROM ${store.schema}.snapshots WHERE workspace_id = '${workspaceId}' ORDER BY position`)

const PUBLISH = `before "publish"\\(` as const
const PUT_SEGMENT = `before INSERT INTO \\S*"segments"` as const

describe.skipIf(databaseUrl === null)("a server that sleeps past its lease", { timeout: TIMEOUT }, () => {
  let awake: RunningServer

  beforeAll(async () => {
    awake = await start(store)
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    await store.remove()
  }, TIMEOUT)

  /** The sleeper has started a build that another server completes, at once or when the lease really runs out. */
  const takenOver = async (tenant: Tenant, isWaitedFor = false) => {
    if (!isWaitedFor) {
      await store.query(`UPDATE ${store.schema}.jobs SET lease_until = now() WHERE status = 'running'`)
    }
    awake = await start(store)
    await seenBy(awake, tenant)
  }

  for (const moment of [PUBLISH, PUT_SEGMENT]) {
    faultIt(`${moment} publishes nothing over what came after it`, async () => {
      const tenant = await Tenant.open(awake)
      await tenant.ingest(awake, texts(20))
      await seenBy(awake, tenant)
      // Alone, so that it is the one that builds.
      await kill(awake)
      const sleeper = await start(store, { pause: moment })
      await tenant.configure(sleeper, 77)
      await paused(sleeper)
      await takenOver(tenant, moment === PUT_SEGMENT)
      await tenant.remove(awake, ["note-0", "note-1"])
      await tenant.ingest(awake, texts(6))
      await seenBy(awake, tenant)
      const before = await snapshots(tenant)

      sleeper.child.kill("SIGCONT")
      await seenBy(sleeper, tenant)
      await seenBy(awake, tenant)
      await rowsBecomeSound(store, tenant)
      assert.deepStrictEqual(await snapshots(tenant), before)
      await kill(sleeper)
    })
  }

  it("leaves a snapshot of the same moment in its place, too", async () => {
    const tenant = await Tenant.open(awake)
    await tenant.ingest(awake, texts(3))
    await seenBy(awake, tenant)
    await kill(awake)
    const sleeper = await start(store, { pause: PUBLISH })
    await tenant.configure(sleeper, 78)
    await paused(sleeper)
    await takenOver(tenant)
    const before = await snapshots(tenant)
    sleeper.child.kill("SIGCONT")
    await seenBy(sleeper, tenant)
    await rowsBecomeSound(store, tenant)
    assert.deepStrictEqual(await snapshots(tenant), before)
    await kill(sleeper)
  })
})
