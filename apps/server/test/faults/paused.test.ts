/** A server that is paused beyond its leases, as by SIGSTOP or a suspended machine, and resumes. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { faultIt } from "../../../../.ci/faultIt.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { rowsBecomeSound, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { kill, killAll, type Moment, paused, pausesAt, start } from "./support/nodes.ts"
import { postgresStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

const store = postgresStore(databaseUrl ?? "postgres://none")

const texts = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`note-${at}`, newText()]))

/** The published snapshots of the workspace, with their segments. */
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

  /** Alone, so that it runs the build, and not busy with an earlier one, at which it would stop before it answers. */
  const asleep = async (tenant: Tenant, days: number, moment: Moment) => {
    await kill(awake)
    const sleeper = await start(store)
    await seenBy(sleeper, tenant)
    await pausesAt(sleeper, moment)
    await tenant.configure(sleeper, days)
    await paused(sleeper)
    return sleeper
  }

  /** The paused server has started a build that another server completes, at once or after the lease has expired. */
  const takenOver = async (tenant: Tenant, isWaitedFor = false) => {
    if (!isWaitedFor) {
      await store.query(`UPDATE ${store.schema}.jobs SET lease_until = now() WHERE status = 'running'`)
    }
    awake = await start(store)
    await seenBy(awake, tenant)
  }

  for (const moment of [PUBLISH, PUT_SEGMENT]) {
    faultIt(`${moment} does not overwrite newer results`, async () => {
      const tenant = await Tenant.open(awake)
      await tenant.ingest(awake, texts(20))
      await seenBy(awake, tenant)
      const sleeper = await asleep(tenant, 77, moment)
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

  it("keeps an existing snapshot of the same change", async () => {
    const tenant = await Tenant.open(awake)
    await tenant.ingest(awake, texts(3))
    await seenBy(awake, tenant)
    const sleeper = await asleep(tenant, 78, PUBLISH)
    await takenOver(tenant)
    const before = await snapshots(tenant)
    sleeper.child.kill("SIGCONT")
    await seenBy(sleeper, tenant)
    await rowsBecomeSound(store, tenant)
    assert.deepStrictEqual(await snapshots(tenant), before)
    await kill(sleeper)
  })
})
