/** Real sources of every provider, and a server that is full, or notified of a change. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { describeWith } from "../../../../packages/sources/test/support/describeWith.ts"
import type { RunningServer } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, kill, start } from "./support/nodes.ts"
import { Pulled } from "./support/Pulled.ts"
import { type RealSource, SOURCES } from "./support/realSources.ts"
import { embeddedStore, type TestStore } from "./support/stores.ts"

/** Providers without a password. */
const OPEN = ["files"]

/** Providers that report changes. */
const REPORTING = ["files", "imap"]

/** Providers whose resources come and go. */
const VARYING = ["imap", "caldav"]

const FEW = 40

for (const [provider, { needs, start: startSource }] of Object.entries(SOURCES)) {
  describeWith(needs, `a server that pulls from ${provider}`, () => {
    let source: RealSource
    let store: TestStore
    let node: RunningServer

    beforeAll(async () => {
      source = await startSource()
      const embedded = embeddedStore()
      store = { ...embedded, settings: { ...embedded.settings, ...source.settings } }
      ;[node] = await Promise.all([start(store), source.fill(FEW)])
    }, TIMEOUT)

    afterAll(async () => {
      if (node !== undefined) await kill(node)
      await store?.remove()
      await source?.stop()
    }, TIMEOUT)

    it("lists items beyond the plan, and ingests them once the plan is raised", async () => {
      const pulled = await Pulled.connect(node, provider, source, { documents: FEW - 7 })
      const full = await pulled.over(node)
      assert.strictEqual(full.status, "completed", full.error ?? "")
      assert.strictEqual(full.rejected.length, 7)
      assert.strictEqual(await pulled.documents(node), FEW - 7)
      const { difference: { created } } = await pulled.changes(node)
      const rejected = full.rejected.map(({ external_id }) => external_id)
      assert.deepStrictEqual([...created, ...rejected].toSorted(), source.ids().toSorted())

      await pulled.raise(node, { documents: FEW })
      await eventually("what did not fit is taken in", async () => (await pulled.sync(node)).rejected.length === 0)
      const { difference } = await pulled.changes(node)
      assert.deepStrictEqual(difference, { created: source.ids().toSorted(), updated: [], deleted: [] })
    }, TIMEOUT)

    it.skipIf(OPEN.includes(provider))(
      "reports a refused password, and continues once it is accepted",
      async () => {
        const pulled = await Pulled.connect(node, provider, source)
        assert.strictEqual((await pulled.over(node)).status, "completed")
        await source.refuse!(true)
        try {
          const said = /refuses the user name or password/
          const refused = await Pulled.connect(node, provider, source).then(() => "", (error: Error) => error.message)
          assert.match(refused, /400/)
          assert.match(refused, said)
          assert.notInclude(refused, source.password!)
          const failed = await pulled.sync(node)
          assert.strictEqual(failed.status, "failed")
          assert.match(failed.error ?? "", said)
          const connection = await pulled.connection(node)
          assert.strictEqual(connection.status, "error")
          assert.match(connection.error ?? "", said)
          assert.strictEqual(await pulled.documents(node), source.ids().length)
        } finally {
          await source.refuse!(false)
        }
        await source.add("dunnart")
        await eventually("what is new is pulled", async () => {
          await pulled.sync(node)
          return (await pulled.documents(node)) === source.ids().length
        })
        const connection = await pulled.connection(node)
        assert.deepInclude(connection, { status: "active", error: null })
      },
      TIMEOUT
    )

    it.runIf(REPORTING.includes(provider))(
      "makes new documents searchable without waiting for the schedule",
      async () => {
        const pulled = await Pulled.connect(node, provider, source)
        assert.strictEqual((await pulled.over(node)).status, "completed")
        for (const word of ["wombat", "numbat"]) {
          const before = source.ids()
          await source.add(word)
          await eventually("what is new is found", async () => {
            const [found] = await pulled.tenant.search(node, word)
            return found !== undefined && source.ids().includes(found) && !before.includes(found)
          })
        }
      },
      TIMEOUT
    )

    it.runIf(VARYING.includes(provider))(
      "pulls a new resource, and removes it with the source",
      async () => {
        const pulled = await Pulled.connect(node, provider, source)
        assert.strictEqual((await pulled.over(node)).status, "completed")
        await source.more!.make("later")
        await eventually("what is new is pulled", async () => {
          await pulled.sync(node)
          return (await pulled.documents(node)) === source.ids().length + 1
        })
        await source.more!.remove("later")
        await eventually("it is pulled no more", async () => {
          await pulled.sync(node)
          return !(await pulled.connection(node)).resources.includes("later")
        })
        assert.strictEqual(await pulled.documents(node), source.ids().length)
      },
      TIMEOUT
    )
  })
}
