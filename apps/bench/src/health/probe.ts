/** Asks for `GET /healthz` in a thread of its own: what the bench itself does at the time counts for nothing. */
import { setTimeout } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import { Pool } from "undici"

/** Milliseconds between an answer and the next request. */
const PAUSE = 10

const stopping = new AbortController()
parentPort!.once("message", () => stopping.abort())

const pool = new Pool(workerData as string, { connections: 1 })
const times: Array<number> = []
while (!stopping.signal.aborted) {
  const began = performance.now()
  const answered = await pool.request({ method: "GET", path: "/healthz" }).then(
    ({ body }) => body.text().then(() => true),
    () => false
  )
  times.push(answered ? performance.now() - began : Infinity)
  await setTimeout(PAUSE)
}
await pool.close()
parentPort!.postMessage(times, [])
