/**
 * How soon `GET /healthz` is answered while one client sends the largest and the worst bodies of every operation, as
 * fast as it is let. The wall-clock times are those of a quiet machine alone; the turns are processor time.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Pool } from "undici"
import { largestOf, worstOf } from "../../../../packages/http/test/support/bodies.ts"
import { FORM_TYPE, formText, type Operation, PUBLIC } from "../../../../packages/http/test/support/operations.ts"
import type { Message } from "../http/child.ts"
import type { Place } from "../http/scenarios.ts"
import { print, printLoad, printTable } from "../print.ts"

/** Bytes of what is refused; more costs its sender more than the server. */
const WORST = 4_194_304

/** How many requests of one body are under way at a time. */
const AT_ONCE = 4

/** How often each body is sent. */
const TIMES = 8

const PAUSE = 10

const start = async () => {
  const child = fork(fileURLToPath(new URL("../http/ours.ts", import.meta.url)), { execArgv: [] })
  const [first] = await once(child, "message") as [Message]
  if (!("place" in first)) throw new Error("the server did not say where it listens")
  const ask = async () => {
    const answered = once(child, "message") as Promise<[Message]>
    child.send("turn")
    const [answer] = await answered
    return "turn" in answer ? answer : { turn: NaN, memory: NaN }
  }
  return { ask, place: first.place, stop: () => child.disconnect() }
}

const bodiesOf = (operation: Operation): ReadonlyArray<string> => {
  const worst = Object.values(worstOf(Math.min(operation.bodyLimit, WORST)))
  return [
    ...largestOf(operation),
    ...operation.takesForm ? worst.map((body) => formText({ payload: body }, "x")) : worst
  ]
}

/** Milliseconds of each answer until the probe is stopped; infinite if no answer came. */
const asking = (pool: Pool) => {
  const times: Array<number> = []
  const stopping = new AbortController()
  const asked = (async () => {
    while (!stopping.signal.aborted) {
      const began = performance.now()
      const answered = await pool.request({ method: "GET", path: "/healthz" }).then(
        ({ body }) => body.text().then(() => true),
        () => false
      )
      times.push(answered ? performance.now() - began : Infinity)
      await setTimeout(PAUSE)
    }
  })()
  return async () => {
    stopping.abort()
    await asked
    return times.toSorted((left, right) => left - right)
  }
}

const at = (times: ReadonlyArray<number>, part: number): number => times[Math.ceil(times.length * part) - 1] ?? NaN

const sending = async (pool: Pool, operation: Operation, { connectorId, ingestKey }: Place) => {
  const path = operation.path.replaceAll(":connector_id", connectorId).replaceAll(/:[a-z_]+/g, crypto.randomUUID())
  const statuses = new Map<number, number>()
  for (const body of bodiesOf(operation)) {
    const send = async () => {
      const { body: answer, statusCode } = await pool.request({
        method: operation.method as "POST",
        path,
        headers: {
          authorization: `Bearer ${ingestKey}`,
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
  return [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`).join(", ")
}

export const benchHealth = async (): Promise<void> => {
  printLoad()
  const rows: Array<ReadonlyArray<string>> = []
  const every: Array<number> = []
  for (const operation of PUBLIC.filter(({ takesBody }) => takesBody)) {
    // One for each: what is refused is counted, and what is stored stays.
    const server = await start()
    const address = `http://127.0.0.1:${server.place.port}`
    const [client, other] = [new Pool(address, { connections: AT_ONCE }), new Pool(address, { connections: 1 })]
    const { memory: before } = await server.ask()
    const stop = asking(other)
    const statuses = await sending(client, operation, server.place)
    const times = await stop()
    const { memory, turn } = await server.ask()
    every.push(...times)
    const millis = [at(times, 0.5), at(times, 0.99), at(times, 1), turn].map((value) => value.toFixed(0))
    rows.push([operation.name, ...millis, `${Math.round((memory - before) / 1_048_576)}`, statuses])
    process.stderr.write(`${rows.at(-1)!.join("  ")}\n`)
    await Promise.all([client.close(), other.close()])
    server.stop()
  }
  printTable(["While it is sent", "p50, ms", "p99, ms", "worst, ms", "longest turn, ms", "memory, MB", "answers"], rows)
  every.sort((left, right) => left - right)
  print(
    `All ${every.length} answers of /healthz: p99 ${at(every, 0.99).toFixed(0)} ms, worst ${at(every, 1).toFixed(0)} ms`
  )
  printLoad()
  print("")
}
