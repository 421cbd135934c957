/**
 * Random operations of several clients on servers that are killed amid them, against a model in memory.
 *
 * A failure prints its seed and the operations; `TRIBUTARY_MODEL_SEED=SEED:PATH` runs them again. `TRIBUTARY_MODEL_RUNS`
 * sets how many sequences run on each kind of storage.
 */
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { Clients } from "./model/Clients.ts"
import { type Operation, type Phase, phases } from "./model/operations.ts"
import { rowsAreSound, seenBy } from "./support/check.ts"
import { runsAll, sayWhatIsSkipped, TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { embeddedStore, postgresStore, type TestStore } from "./support/stores.ts"
import { Tenant } from "./support/Tenant.ts"

const runs = Number(process.env["TRIBUTARY_MODEL_RUNS"] ?? (runsAll ? 8 : 1))
const [, seed, path] = /^(-?\d+):?(.*)$/.exec(process.env["TRIBUTARY_MODEL_SEED"] ?? "") ?? []

const modelSuite = (store: TestStore, count: number) =>
  describe(`a model of the service, and ${count} servers on ${store.kind}`, () => {
    /** Each is replaced by the one that starts after it has ended. */
    const nodes: Array<Promise<RunningServer>> = []
    const tenants: Array<Tenant> = []
    let [operations, crashes] = [0, 0]

    beforeAll(async () => {
      sayWhatIsSkipped()
      for (let at = 0; at < count; at++) nodes.push(start(store))
      await Promise.all(nodes)
    }, TIMEOUT)

    afterAll(async () => {
      await killAll()
      await store.remove()
      process.stderr.write(`\nthe model on ${store.kind}: ${operations} operations, ${crashes} ends of servers\n`)
    }, TIMEOUT)

    const crash = (at: number, how: "SIGKILL" | "SIGTERM"): void => {
      crashes++
      nodes[at] = nodes[at]!.then(async (node) => {
        node.child.kill(how)
        await node.ended
        return await start(store)
      })
    }

    /** Time passes for the jobs of who was killed, and what it had sent is over. */
    const recovered = async () => {
      await Promise.all(nodes)
      if (store.kind === "embedded") return
      await eventually("what was sent is over", async () => {
        const running = await store.query(`SELECT 1 FROM pg_stat_activity
          WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%${store.schema}%"admit"%'`)
        return running.length === 0
      })
      await store.query(`UPDATE ${store.schema}.jobs SET lease_until = now()
        WHERE status = 'running' AND lease_until < now() + interval '28 seconds'`)
    }

    const runPhase = async (clients: Clients, tenant: Tenant, { clients: work, crash: end, empties }: Phase) => {
      let left = end?.after ?? Infinity
      const runClient = async (acts: ReadonlyArray<Operation>) => {
        for (const { act, node } of acts) {
          const sentTo = nodes[node % count]!
          const isAnswered = await clients.run(await sentTo, act)
          // A server without an answer has ended; nobody else may leave one out.
          if (!isAnswered) assert.isNotNull(end, `no answer to ${JSON.stringify(act)}`)
          if (left-- === 0 && end !== null) crash(end.node % count, end.how)
        }
      }
      await Promise.all(work.map(runClient))
      await recovered()
      clients.settle()
      for (const node of nodes) {
        await clients.settingsAreLast(await node)
        await seenBy(await node, tenant)
      }
      if (empties) await clients.emptyWith(await nodes[0]!)
    }

    const run = async (sequence: ReadonlyArray<Phase>) => {
      await Promise.all(nodes)
      const tenant = await Tenant.open(await nodes[0]!, Clients.limits)
      const clients = new Clients(tenant)
      for (const phase of sequence) await runPhase(clients, tenant, phase)
      for (const node of nodes) await seenBy(await node, tenant)
      operations += clients.operations
      tenants.push(tenant)
    }

    it(
      "agree, whatever is done and whoever is killed",
      { timeout: runs * TIMEOUT },
      () =>
        fc.assert(fc.asyncProperty(phases, run), {
          numRuns: runs,
          // Without the long run a failure is shown as it came.
          endOnFailure: !runsAll,
          ...(seed === undefined ? {} : { seed: Number(seed) }),
          ...(path === undefined || path === "" ? {} : { path })
        })
    )

    it("leave rows that agree with each other", { timeout: TIMEOUT }, async () => {
      for (const node of nodes) assert.strictEqual(await (await node).stop(), 0)
      for (const tenant of tenants) await rowsAreSound(store, tenant)
    })
  })

modelSuite(embeddedStore(), 1)
if (databaseUrl === null) describe.skip("a model of the service, and 2 servers on postgres")
else modelSuite(postgresStore(databaseUrl), 2)
