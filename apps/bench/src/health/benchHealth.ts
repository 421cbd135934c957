/**
 * How soon `GET /healthz` of the server as users run it is answered while one client opens many connections, or sends the
 * largest and the worst bodies of every operation, as fast as it is let, and what they leave in memory. The wall-clock times are those of a
 * quiet machine alone; the turns are processor time.
 */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { Pool } from "undici"
import { largestOf, worstOf } from "../../../../packages/http/test/support/bodies.ts"
import { FORM_TYPE, formText, type Operation, PUBLIC } from "../../../../packages/http/test/support/operations.ts"
import { print, printLoad, printTable } from "../print.ts"
import { Node } from "../storage/Node.ts"
import { sendConnections } from "./connections.ts"
import type { Watched } from "./watch.ts"

/** Bytes of what is refused; more costs its sender more than the server. */
const WORST = 4_194_304

/** How many requests of one body are under way at a time. */
const AT_ONCE = 4

/** How often each body is sent. */
const TIMES = 8

/** Milliseconds without a request, after which V8 has given back what it can. */
const REST = 120_000

const start = async (folder: string) => {
  const node = await Node.start({ TRIBUTARY_DATA_DIR: folder }, new URL("watch.ts", import.meta.url))
  const key = await node.newKey()
  const named = { name: "Bench", source_name: "bench" }
  const { connector_id } = await node.request(key, "POST", "/v1/custom-connectors", named) as {
    readonly connector_id: string
  }
  return { node, key, connectorId: connector_id }
}

type Started = Awaited<ReturnType<typeof start>>

const bodiesOf = (operation: Operation): ReadonlyArray<Buffer> => {
  const worst = Object.values(worstOf(Math.min(operation.bodyLimit, WORST)))
  return [
    ...largestOf(operation),
    ...operation.takesForm ? worst.map((body) => formText({ payload: body }, "x")) : worst
  ].map((body) => Buffer.from(body))
}

/** Milliseconds of each answer until the probe is stopped; infinite if no answer came. */
const probing = async (url: string) => {
  const probe = new Worker(new URL("probe.ts", import.meta.url), { workerData: url })
  await once(probe, "online")
  return async () => {
    const answered = once(probe, "message")
    probe.postMessage("stop", [])
    const [times] = await answered as [ReadonlyArray<number>]
    return times.toSorted((left, right) => left - right)
  }
}

const at = (times: ReadonlyArray<number>, part: number): number => times[Math.ceil(times.length * part) - 1] ?? NaN

interface Attack {
  readonly name: string
  /** What became of it. */
  readonly send: (server: Started) => Promise<string>
}

const sendBodies = async (operation: Operation, { connectorId, key, node }: Started) => {
  const pool = new Pool(node.url, { connections: AT_ONCE })
  const bodies = bodiesOf(operation)
  const path = operation.path.replaceAll(":connector_id", connectorId).replaceAll(/:[a-z_]+/g, crypto.randomUUID())
  const statuses = new Map<number, number>()
  for (const body of bodies) {
    const send = async () => {
      const { body: answer, statusCode } = await pool.request({
        method: operation.method as "POST",
        path,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": operation.takesForm ? FORM_TYPE : "application/json"
        },
        body
      })
      await answer.dump()
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    for (let sent = 0; sent < TIMES; sent += AT_ONCE) {
      // One that is cut off while it sends was refused before.
      await Promise.allSettled(Array.from({ length: AT_ONCE }, send))
    }
  }
  await pool.close()
  return [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`).join(", ")
}

const ATTACKS: ReadonlyArray<Attack> = [
  { name: "connections", send: ({ node }) => sendConnections(node.url) },
  ...PUBLIC.filter(({ takesBody }) => takesBody).map((operation) => ({
    name: operation.name,
    send: (server: Started) => sendBodies(operation, server)
  }))
]

/** Until nothing waits to be indexed. */
const settled = async ({ key, node }: Started) => {
  const isSettled = async () => {
    const status = await node.request(key, "GET", "/v1/knowledge/status") as { readonly pending_documents: number }
    return status.pending_documents === 0
  }
  while (!await isSettled()) await setTimeout(SETTLING)
}

/** Milliseconds between two looks at what waits. */
const SETTLING = 500

/** Attacks a server, and then lets it rest while the next one is measured. */
const measure = async ({ send }: Attack) => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const server = await start(folder)
  const { node } = server
  const stop = async () => {
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const rested = async () => {
    await setTimeout(REST)
    const resident = node.residentMegabytes
    const { heap } = await node.watched("collect") as Watched
    await stop()
    return { heap, resident }
  }
  try {
    const before = { ...await node.watched("collect") as Watched, resident: node.residentMegabytes }
    const endProbe = await probing(node.url)
    const statuses = await send(server)
    const times = await endProbe()
    await settled(server)
    const { delay, turn } = await node.watched("look") as Watched
    const resident = [before.resident, node.mostMegabytes, node.residentMegabytes]
    return { before, delay, rested: rested(), resident, statuses, times, turn }
  } catch (error) {
    await stop()
    throw error
  }
}

const whole = (...values: ReadonlyArray<number>) => values.map((value) => value.toFixed(0))

export const benchHealth = async (): Promise<void> => {
  printLoad()
  const rows: Array<Promise<ReadonlyArray<string>>> = []
  const every: Array<number> = []
  // A server for each: what is refused is counted, and what is stored stays.
  for (const attack of ATTACKS) {
    const { before, delay, resident, rested, statuses, times, turn } = await measure(attack)
    every.push(...times)
    rows.push(rested.then((after) => [
      attack.name,
      ...whole(at(times, 0.5), at(times, 0.99), at(times, 1), turn, delay),
      whole(before.heap, after.heap).join(" → "),
      whole(...resident, after.resident).join(" → "),
      statuses
    ]))
    process.stderr.write(`${attack.name}: worst ${whole(at(times, 1))} ms, longest turn ${whole(turn)} ms\n`)
  }
  printTable([
    "Attack",
    "p50, ms",
    "p99, ms",
    "worst, ms",
    "longest turn, ms",
    "longest delay, ms",
    "in use before → at rest, MB",
    "resident before → most → after → at rest, MB",
    "outcome"
  ], await Promise.all(rows))
  every.sort((left, right) => left - right)
  print(
    `All ${every.length} answers of /healthz: p99 ${at(every, 0.99).toFixed(0)} ms, worst ${at(every, 1).toFixed(0)} ms`
  )
  printLoad()
  print("")
}
