/**
 * Random operations of several clients on servers that are killed meanwhile, compared with a model in memory.
 *
 * A failure prints its seed and the operations; `TRIBUTARY_MODEL_SEED=SEED:PATH` runs them again, and shorter ones that
 * fail, too. `TRIBUTARY_MODEL_RUNS` sets how many sequences run on each kind of storage.
 */
import * as fc from "fast-check"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import { command, type RunningServer } from "../serverProcess.ts"
import { Clients } from "./model/Clients.ts"
import { type Operation, type Phase, phases } from "./model/operations.ts"
import { PassersBy } from "./model/PassersBy.ts"
import { becomes, rowsAreSound, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { embeddedStore, postgresStore, type TestStore } from "./support/stores.ts"
import { Tenant } from "./support/Tenant.ts"

const runs = Number(process.env["TRIBUTARY_MODEL_RUNS"] ?? extent(1, 3))
const [, seed, path] = /^(-?\d+):?(.*)$/.exec(process.env["TRIBUTARY_MODEL_SEED"] ?? "") ?? []

const modelSuite = (kind: TestStore["kind"], count: number, open: () => TestStore) =>
  describe(`a model of the service, and ${count} servers on ${kind}`, () => {
    /** The stores so far; the last one is in use. */
    const stores: Array<TestStore> = []
    let store = open()
    /** The servers; each is replaced after it has ended. */
    let nodes: ReadonlyArray<Promise<RunningServer>> = []
    const tenants: Array<Tenant> = []
    const passersBy = new PassersBy()
    let [operations, crashes] = [0, 0]

    const startAll = async () => {
      nodes = Array.from({ length: count }, () => start(store))
      await Promise.all(nodes)
    }

    const stopAll = async () => {
      for (const node of nodes) assert.strictEqual(await (await node).stop(), 0)
    }

    beforeAll(startAll, TIMEOUT)

    afterAll(async () => {
      await killAll()
      for (const each of [...stores, store]) await each.remove()
      process.stderr.write(`\nthe model on ${kind}: ${operations} operations, ${crashes} ends of servers\n`)
    }, TIMEOUT)

    const crash = (at: number, how: "SIGKILL" | "SIGTERM"): void => {
      crashes++
      const next = nodes[at]!.then(async (node) => {
        node.child.kill(how)
        await node.ended
        return await start(store)
      })
      nodes = nodes.with(at, next)
    }

    /** Moves everything to another store, and starts the servers there. */
    const move = async () => {
      await stopAll()
      stores.push(store)
      const file = join(mkdtempSync(join(tmpdir(), "tributary-model-")), "store")
      assert.strictEqual((await command(["export", file], store.settings)).code, 0)
      store = open()
      assert.strictEqual((await command(["import", file], store.settings)).code, 0)
      rmSync(dirname(file), { recursive: true })
      await startAll()
    }

    /** Expires the leases of killed servers, and waits for the end of their statements. */
    const recovered = async () => {
      await Promise.all(nodes)
      if (store.kind === "embedded") return
      await eventually("what was sent is over", async () => {
        const running = await store.query(`SELECT 1 FROM pg_stat_activity
          WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%${store.schema}%"admit_at_once"%'`)
        return running.length === 0
      })
      await store.query(`UPDATE ${store.schema}.jobs SET lease_until = now()
        WHERE status = 'running' AND lease_until < now() + interval '28 seconds'`)
    }

    const allIsAsItWas = async (clients: Clients, tenant: Tenant) => {
      for (const node of nodes) {
        await seenBy(await node, tenant)
        await clients.restIsKept(await node)
      }
    }

    const runPhase = async (clients: Clients, tenant: Tenant, { clients: work, crash: end, ending }: Phase) => {
      let left = end?.after ?? Infinity
      const runClient = async (acts: ReadonlyArray<Operation>) => {
        for (const { act, node } of acts) {
          const sentTo = nodes[node % count]!
          const isAnswered = await clients.run(await sentTo, act)
          // Only a server that has ended may leave a request without a response.
          if (!isAnswered) assert.isNotNull(end, `no answer to ${JSON.stringify(act)}`)
          if (left-- === 0 && end !== null) crash(end.node % count, end.how)
        }
      }
      await Promise.all(work.map(runClient))
      await recovered()
      clients.settle()
      await allIsAsItWas(clients, tenant)
      if (ending === "moves") await move()
      if (ending === "empties" || ending === "empties and is killed") {
        await clients.emptyWith(await nodes[0]!, async () => {
          if (ending === "empties and is killed") crash(0, "SIGKILL")
          await recovered()
          return await nodes[0]!
        })
      }
    }

    const run = async (sequence: ReadonlyArray<Phase>) => {
      await Promise.all(nodes)
      const tenant = await Tenant.open(await nodes[0]!, Clients.limits)
      const clients = new Clients(tenant, passersBy)
      for (const phase of sequence) await runPhase(clients, tenant, phase)
      await allIsAsItWas(clients, tenant)
      operations += clients.operations
      tenants.push(tenant)
    }

    it(
      "agree after any operations and kills",
      { timeout: 2 * runs * TIMEOUT },
      () =>
        fc.assert(fc.asyncProperty(phases, run), {
          numRuns: runs,
          // Shown unshrunk; a run from its seed shrinks it.
          endOnFailure: seed === undefined,
          ...(seed === undefined ? {} : { seed: Number(seed) }),
          ...(path === undefined || path === "" ? {} : { path })
        })
    )

    it("leave consistent rows, and none of erased workspaces", { timeout: TIMEOUT }, async () => {
      const look = async () => {
        assert.isTrue(await passersBy.isGone(store), "what was erased is gone")
        for (const tenant of tenants) await rowsAreSound(store, tenant)
      }
      await stopAll()
      // A running job is released, and the next servers complete it.
      await becomes(look, async () => {
        await startAll()
        for (const tenant of tenants) await seenBy(await nodes[0]!, tenant)
        await stopAll()
      }, 20)
    })
  })

modelSuite("embedded", 1, () => embeddedStore())
if (databaseUrl === null) describe.skip("a model of the service, and 2 servers on postgres")
else if (extent(false, true)) modelSuite("postgres", 2, () => postgresStore(databaseUrl ?? ""))
