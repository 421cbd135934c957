/** What the threads of a server load: each has its own copy, so it counts in the memory of every server. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { newFolder } from "./support/newFolder.ts"

/** Makes the import of Effect fail, which takes some 25 MB in a thread. */
const REFUSE_EFFECT = `--import=data:text/javascript,${
  encodeURIComponent(`
    import { registerHooks } from "node:module"
    registerHooks({
      resolve(name, context, next) {
        if (/^effect(\\/|$)/.test(name)) throw new Error(context.parentURL + " imports " + name)
        return next(name, context)
      }
    })`)
}`

const start = (entry: URL) =>
  new Worker(entry, {
    workerData: { path: join(newFolder(), "tributary.db"), fsync: false, urgency: "urgent" },
    execArgv: [REFUSE_EFFECT]
  })

describe("Effect is not loaded", () => {
  it.each(["writeWorker", "readWorker"])("by the database thread %s", async (name) => {
    const thread = start(new URL(`../src/internal/${name}.ts`, import.meta.url))
    thread.postMessage({ id: 1, closes: true }, [])
    assert.deepStrictEqual(await once(thread, "message"), [[{ id: 1, value: undefined }]])
    await thread.terminate()
  })

  it("by the thread that builds segments", async () => {
    const thread = start(new URL("../../node/src/internal/indexWorker.ts", import.meta.url))
    thread.postMessage({ type: "finish", input: [], isLast: true }, [])
    const [{ bytes }] = await once(thread, "message")
    assert.instanceOf(bytes, Uint8Array)
    await thread.terminate()
  })
})
