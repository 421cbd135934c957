/** A server that is killed at a chosen statement or write, and the next one on the same store. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import { faultIt } from "../../../../.ci/faultIt.ts"
import type { Run, RunningServer } from "../serverProcess.ts"
import { rowsAreSoundAfter, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { died, diesAt, killAll, type Moment, start, startDoomed } from "./support/nodes.ts"
import type { TestStore } from "./support/stores.ts"
import { COMMON, newText, Tenant } from "./support/Tenant.ts"

// Statements on Postgres, and names of writes on the embedded database. Its reads send no message, so the claim of the
// reading job is named instead.
const ADMIT = String.raw`"admit_at_once"\(|^admit$`
const SCAN = String.raw`OVER \(ORDER BY s\.timestamp|^claim$`
const PUT_SEGMENT = String.raw`INSERT INTO \S*"segments"|^putSlice$`
const PUBLISH = String.raw`"publish"\(|^publish$`
const FINISH = ", result = |^finish$"
const RECONFIGURE = String.raw`"reconfigure"\(|^configure$`
const ENQUEUE = String.raw`"enqueue"\(|^enqueue$`
const PASSAGES = String.raw`WITH named AS \(|^claim$`

/** Expires all leases. A server with an exclusive store does not wait for that. */
const leasesRunOut = ({ kind, query, schema }: TestStore) =>
  kind === "embedded" ? [] : query(`UPDATE ${schema}.jobs SET lease_until = now() WHERE status = 'running'`)

export const killedSuite = (store: TestStore) =>
  describe(`a server on ${store.kind} that is killed`, { timeout: TIMEOUT }, () => {
    let node: RunningServer
    let tenant: Tenant
    let sent = 0

    /** Waits until the server has died at the requested moment, and expires its leases. */
    const over = async (last: Run) => {
      await died(last)
      await leasesRunOut(store)
    }

    const next = async (last: Run = node) => {
      await over(last)
      node = await start(store)
    }

    const batch = (count: number) =>
      new Map(Array.from({ length: count }, () => [`note-${++sent % 40}`, newText(sent % 3 * 50)]))

    const check = async () => {
      tenant.ledger.settle()
      await seenBy(node, tenant)
    }

    beforeAll(async () => {
      node = await start(store)
      tenant = await Tenant.open(node)
      assert.strictEqual((await tenant.ingest(node, batch(30))).status, 200)
    }, TIMEOUT)

    afterAll(async () => {
      await killAll()
      await store.remove()
    }, TIMEOUT)

    it("during ingest has stored the whole batch or nothing", async () => {
      const deaths = [`before ${ADMIT}`, `answered ${ADMIT}`, `sent ${ADMIT}`] as const
      for (const death of deaths.slice(extent(2, 0))) {
        await diesAt(node, death)
        const answer = await tenant.ingest(node, batch(10))
        assert.strictEqual(answer.status, 0)
        await next()
        await check()
      }
    })

    faultIt("during ingest of many clients has lost no acknowledged document", async () => {
      let acknowledged = 0
      const victim = node
      const clients = Array.from({ length: 4 }, async () => {
        while (victim.child.exitCode === null && victim.child.signalCode === null) {
          const { status } = await tenant.ingest(victim, batch(3))
          if (status === 200 && ++acknowledged === 25) victim.child.kill("SIGKILL")
        }
      })
      await Promise.all(clients)
      await next()
      await check()
    })

    faultIt("during a rebuild leaves it to the next server, at any stage", async () => {
      // Every server continues the rebuild of the previous one and is killed during it. A fifth attempt would be the last.
      const rebuilds: ReadonlyArray<readonly [Moment, ...ReadonlyArray<Moment>]> = [
        [`answered ${PUT_SEGMENT}`, `sent ${PUBLISH}`, `sent ${SCAN}`, `before ${PUT_SEGMENT}`],
        [`sent ${PUT_SEGMENT}`, `before ${PUBLISH}`, `answered ${PUBLISH}`, `before ${FINISH}`],
        [`sent ${FINISH}`]
      ]
      for (const [at, [first, ...others]] of rebuilds.entries()) {
        await check()
        await diesAt(node, first)
        // The response may be lost if the server dies quickly.
        await tenant.configure(node, 100 + at)
        let last: Run = node
        for (const death of others) {
          await over(last)
          last = startDoomed(store, death)
        }
        await next(last)
      }
      await check()
    })

    faultIt("during a change of the settings, and during a refresh, is up to date afterwards", async () => {
      for (const death of [`sent ${RECONFIGURE}`, `answered ${RECONFIGURE}`] as const) {
        await diesAt(node, death)
        assert.strictEqual((await tenant.configure(node, 200)).status, 0)
        await next()
        await check()
      }
      for (const death of [`answered ${PUT_SEGMENT}`, `sent ${PUBLISH}`, `answered ${PUBLISH}`] as const) {
        await diesAt(node, death)
        // On a busy machine the refresh may begin, and the server die, before the response is sent.
        assert.include([200, 0], (await tenant.ingest(node, batch(10))).status)
        await next()
        await check()
      }
    })

    faultIt("during an asynchronous question answers it once", async () => {
      const ask = () =>
        tenant.send<{ readonly job_id: string }>(node, "POST", "/v1/knowledge/ask", { query: COMMON, async: true })
      const deaths: ReadonlyArray<Moment> = [
        `sent ${PASSAGES}`,
        `sent ${ENQUEUE}`,
        `before ${FINISH}`,
        `sent ${FINISH}`,
        `answered ${FINISH}`
      ]
      for (const death of deaths) {
        await diesAt(node, death)
        const { body, status } = await ask()
        await next()
        // The job is stored before the response is sent.
        if (status === 202) {
          const job = await tenant.ask<{ readonly status: string; readonly result: unknown }>(
            node,
            "GET",
            `/v1/knowledge/ask/jobs/${body.job_id}?wait=30`
          )
          assert.strictEqual(job.status, "succeeded")
          assert.isNotNull(job.result)
        }
        await check()
      }
    })

    it("during its work leaves consistent rows", async () => {
      await check()
      await rowsAreSoundAfter(node, store, tenant)
    })
  })
