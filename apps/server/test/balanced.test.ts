/** The configuration of docs/operate/nodes.md in a real HAProxy, before two servers on one Postgres. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { describeWith } from "../../../packages/sources/test/support/describeWith.ts"
import * as Programs from "../../../packages/sources/test/support/programs.ts"
import { seenBy } from "./faults/support/check.ts"
import { eventually, kill, killAll, start } from "./faults/support/nodes.ts"
import { postgresStore } from "./faults/support/stores.ts"
import { newText, Tenant } from "./faults/support/Tenant.ts"
import type { RunningServer } from "./serverProcess.ts"

const page = readFileSync(fileURLToPath(new URL("../../../docs/operate/nodes.md", import.meta.url)), "utf8")
const [, shown] = /```haproxy\n([^]*?)```/.exec(page)!

const store = postgresStore(databaseUrl ?? "postgres://none")

/** Replaces the page's addresses. */
const configuration = (port: number, one: string, two: string): string =>
  shown!.replace(":80\n", `127.0.0.1:${port}\n`).replace("10.0.0.11:8787", one).replace("10.0.0.12:8787", two)

const suite = () =>
  describe.skipIf(databaseUrl === null)("two servers", () => {
    let one: RunningServer
    let two: RunningServer
    /** Where that is again after it was down. */
    let second: typeof store
    let haproxy: Programs.Running
    let balancer: { readonly url: string }

    beforeAll(async () => {
      one = await start(store)
      second = { ...store, settings: { ...store.settings, TRIBUTARY_PORT: String(await Programs.freePort()) } }
      two = await start(second)
      const port = await Programs.freePort()
      const folder = Programs.temporaryFolder()
      const file = join(folder, "haproxy.cfg")
      writeFileSync(file, configuration(port, new URL(one.url).host, new URL(two.url).host))
      const child = Programs.start("haproxy", ["-db", "-f", file])
      haproxy = await Programs.started(child, port, folder)
      balancer = { url: `http://127.0.0.1:${port}` }
    })

    afterAll(async () => {
      await haproxy.stop()
      await killAll()
      await store.remove()
    })

    it("work as one, also while one of them is down, and after it is back", async () => {
      const tenant = await Tenant.open(balancer)
      const ingest = async (count: number) => {
        for (let at = 0; at < count; at++) {
          assert.strictEqual((await tenant.ingest(balancer, new Map([[`note-${at}`, newText()]]))).status, 200)
        }
      }
      await ingest(6)
      await kill(two)
      // Otherwise every second request would go to the stopped server.
      await ingest(6)
      two = await start(second)
      await kill(one)
      await eventually(
        "the one that is back is used",
        async () => (await tenant.send(balancer, "GET", "/v1/usage/current")).status === 200
      )
      await ingest(6)
      await seenBy(two, tenant)
    })
  })

describeWith(["haproxy"], "behind an HAProxy", suite)
