/**
 * Long random work of several workspaces over HTTP, while servers are killed, and each answer is compared with a model
 * of the workspace. `model.test.ts` has concurrent clients in one small workspace; here each workspace has one client,
 * so that filters, counts and lists are known exactly.
 *
 * `TRIBUTARY_SOAK_OPERATIONS` sets how many operations run on each kind of storage. A failure prints its seed, which
 * `TRIBUTARY_SOAK_SEED` sets, the last operations of its workspace, and which server had each request of the last one.
 */
import { afterAll, assert, describe, it } from "vitest"
import { databaseUrl } from "../../../../packages/postgres/test/support/testServer.ts"
import { endingsOf, operationsOf } from "./soak/operations.ts"
import { checkAll, perform } from "./soak/perform.ts"
import { Servers } from "./soak/Servers.ts"
import { Workspace } from "./soak/Workspace.ts"
import { becomes, rowsAreSound } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { killAll } from "./support/nodes.ts"
import { embeddedStore, postgresStore, type TestStore } from "./support/stores.ts"

const OPERATIONS = Number(process.env["TRIBUTARY_SOAK_OPERATIONS"] ?? 600)
const SEED = Number(process.env["TRIBUTARY_SOAK_SEED"] ?? Math.floor(Math.random() * 1_000_000))
const WORKSPACES = 3

/** The operations that a failure prints, and the characters of each. */
const SHOWN = 25
const MAX_LENGTH = 500

const soakSuite = (count: number, store: TestStore) =>
  describe(`${count === 1 ? "a server" : `${count} servers`} on ${store.kind}`, () => {
    const servers = new Servers(store, count)
    const workspaces: Array<Workspace> = []

    afterAll(async () => {
      await Promise.allSettled([servers.settled()])
      await killAll()
      await store.remove()
    }, TIMEOUT)

    /** A running job is released at the end, and the next server completes it. */
    const rowsAreConsistent = async () => {
      const failed = `SELECT queue, payload, attempt, error FROM ${store.schema}.jobs WHERE status = 'failed'`
      assert.deepStrictEqual(await store.query(failed), [])
      for (const { tenant } of workspaces) await rowsAreSound(store, tenant)
    }

    it(`answers ${OPERATIONS} random operations as a model, from seed ${SEED}`, async () => {
      await servers.start()
      for (let at = 0; at < WORKSPACES; at++) workspaces.push(await Workspace.open(servers, workspaces))
      const endings = endingsOf(SEED)
      let ending = endings.next().value
      const done = { operations: 0, isOver: false }

      const endOne = () => {
        if (--ending.after > 0) return
        const { delay, how, node } = ending
        setTimeout(() => {
          if (!done.isOver && !workspaces.some((workspace) => workspace.isDue())) servers.end(node, how)
        }, delay)
        ending = endings.next().value
      }

      const run = async (workspace: Workspace) => {
        const drawn = operationsOf(SEED, workspace.number)
        const last: Array<string> = []
        try {
          for (let number = 0; done.operations < OPERATIONS && !done.isOver; number++) {
            const operation = drawn.next().value
            done.operations++
            endOne()
            last.push(`${number}, after ${servers.ends} ends: ${JSON.stringify(operation).slice(0, MAX_LENGTH)}`)
            last.splice(0, last.length - SHOWN)
            await perform(workspace, operation, number)
            await workspace.restIfDue()
          }
        } catch (cause) {
          const requests = workspace.requests.slice(-SHOWN)
          const message = [`seed ${SEED}, workspace ${workspace.number}: ${cause}`, ...last, ...requests].join("\n")
          throw new Error(message, { cause })
        } finally {
          done.isOver = true
        }
      }

      const began = performance.now()
      await Promise.all(workspaces.map(run))
      await servers.settled()
      for (const workspace of workspaces) await checkAll(workspace)
      await servers.stop()
      await becomes(rowsAreConsistent, async () => {
        await servers.start()
        for (const workspace of workspaces) await workspace.rests()
        await servers.stop()
      }, 20)
      const seconds = Math.round((performance.now() - began) / 1_000)
      process.stderr.write(
        `\nthe soak on ${store.kind}: seed ${SEED}, ${done.operations} operations, ${servers.ends} ends of servers, ${seconds} s\n`
      )
    }, 60_000 + OPERATIONS * 1_000)
  })

soakSuite(1, embeddedStore())
if (databaseUrl === null) describe.skip("2 servers on postgres")
else soakSuite(2, postgresStore(databaseUrl))
