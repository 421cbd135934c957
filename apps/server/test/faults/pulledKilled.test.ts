/** A server that is killed while it pulls from a real source of each provider. */
import { delimiter } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { describeWith } from "../../../../packages/sources/test/support/describeWith.ts"
import { programPath } from "../../../../packages/sources/test/support/programs.ts"
import type { RunningServer } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"
import { AMID_FIRST_SYNC, died, diesAt, eventually, killAll, start } from "./support/nodes.ts"
import { Pulled } from "./support/Pulled.ts"
import { type RealSource, SOURCES } from "./support/realSources.ts"
import { embeddedStore } from "./support/stores.ts"

const PROVIDERS = Object.entries(SOURCES)

describe("a server that is killed while it pulls", { timeout: TIMEOUT }, () => {
  const sources = new Map<string, RealSource>()
  const store = embeddedStore()
  let node: RunningServer

  const startNode = () => {
    const settings = [...sources.values()].map((source) => source.settings)
    const roots = settings.flatMap(({ TRIBUTARY_FILE_ROOTS }) => TRIBUTARY_FILE_ROOTS ?? []).join(delimiter)
    return start({
      ...store,
      settings: Object.assign({ ...store.settings }, ...settings, { TRIBUTARY_FILE_ROOTS: roots })
    })
  }

  beforeAll(async () => {
    await Promise.all(
      PROVIDERS.filter(([, { needs }]) => needs.every((program) => programPath(program) !== null))
        .map(async ([provider, { beyondCheckpoint, start: startSource }]) => {
          const source = await startSource()
          sources.set(provider, source)
          await source.fill(beyondCheckpoint)
        })
    )
    node = await startNode()
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    await Promise.all([store.remove(), ...[...sources.values()].map((source) => source.stop())])
  }, TIMEOUT)

  for (const [provider, { needs }] of PROVIDERS) {
    describeWith(needs, `from ${provider}`, () => {
      it("resumes at its checkpoint, and finds exactly the difference", async () => {
        const source = sources.get(provider)!
        const all = source.ids()
        await diesAt(node, AMID_FIRST_SYNC)
        const pulled = await Pulled.connect(node, provider, source)
        await died(node)
        node = await startNode()
        const stored = await pulled.documents(node)
        assert.isTrue(stored > 0 && stored < all.length, `${stored} of ${all.length} were stored`)
        const after = await pulled.over(node)
        assert.deepInclude(after, {
          status: "completed",
          items_ingested: all.length,
          items_deleted: 0,
          deletions_held: 0
        })
        const whole = await pulled.changes(node)
        assert.deepStrictEqual(whole.difference, { created: all.toSorted(), updated: [], deleted: [] })

        const difference = await source.change()
        await pulled.start(node)
        const changed = await eventually("the change is pulled", async () => {
          const changes = await pulled.changes(node, whole.count)
          return changes.count - whole.count >= Object.values(difference).flat().length && changes
        })
        assert.deepStrictEqual(changed.difference, difference)
        assert.strictEqual(await pulled.documents(node), source.ids().length)
        await pulled.disconnect(node)
      })
    })
  }
})
