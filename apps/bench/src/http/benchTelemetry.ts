/**
 * Processor time per request without a collector, and with one that gets none, a hundredth or all of the traces. The
 * services are in this process and are asked without a socket, so that the ratios are those of the code alone.
 */
import * as Telemetry from "@tributary/node/Telemetry"
import { Effect, Layer, ManagedRuntime, Scope } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { median, print, printLoad, printTable } from "../print.ts"
import { queryOf } from "./scenarios.ts"
import { fill, newApp, newWorkspace, services } from "./service.ts"

interface Asked {
  readonly name: string
  readonly request: (key: string, number: number) => Request
  /** Of one turn: few enough that other work on the machine meets neighbouring turns alike. */
  readonly requests: number
  readonly warmUp: number
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" })

const ASKED: ReadonlyArray<Asked> = [
  {
    name: "GET settings",
    request: (key) => new Request("http://127.0.0.1/v1/knowledge/settings", { headers: headersOf(key) }),
    requests: 500,
    warmUp: 15_000
  },
  {
    name: "search",
    request: (key, number) =>
      new Request("http://127.0.0.1/v1/knowledge/search", {
        method: "POST",
        headers: headersOf(key),
        body: JSON.stringify({ q: queryOf(number) })
      }),
    requests: 30,
    warmUp: 900
  }
]

const ROUNDS = 120

/** Seconds for the rounds of one request, on a machine that has other work. */
const PATIENCE = 50

/** The second one without a collector shows how much is chance. */
const CASES: ReadonlyArray<readonly [name: string, ratio: number | null]> = [
  ["no collector", null],
  ["no collector again", null],
  ["none sent", 0],
  ["1 % sent", 0.01],
  ["all sent", 1]
]

const startService = async (url: string, ratio: number | null) => {
  const telemetry = ratio === null ? Layer.empty : Telemetry.layer({ url, ratio })
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(services, Layer.merge(telemetry, HttpServer.layerServices))
  )
  const { app, key } = await runtime.runPromise(
    Effect.gen(function*() {
      const { connectorId, secret, workspace } = yield* newWorkspace("Measured")
      yield* fill(workspace, connectorId)
      return { app: yield* newApp, key: secret }
    }).pipe(Effect.provideService(Scope.Scope, runtime.scope))
  )
  const send = async (request: Request): Promise<void> => {
    const received = HttpServerRequest.fromWeb(request)
    const { status } = await runtime.runPromise(
      Effect.scoped(Effect.provideService(app, HttpServerRequest.HttpServerRequest, received))
    )
    if (status !== 200) throw new Error(`status ${status}`)
  }
  const turn = async ({ request }: Asked, requests: number): Promise<number> => {
    const sent = Array.from({ length: requests }, (_, number) => request(key, number))
    const before = process.threadCpuUsage()
    for (const one of sent) await send(one)
    const { system, user } = process.threadCpuUsage(before)
    return (system + user) / requests
  }
  return { turn, stop: () => runtime.dispose() }
}

type Service = Awaited<ReturnType<typeof startService>>

/** Every turn is compared with that of its round which is without a collector. */
const measure = async (running: ReadonlyArray<Service>, asked: Asked): Promise<ReadonlyArray<string>> => {
  for (let sent = 0; sent < asked.warmUp; sent += asked.requests) {
    for (const { turn } of running) await turn(asked, asked.requests)
  }
  const rounds: Array<ReadonlyArray<number>> = []
  const end = performance.now() + PATIENCE * 1_000
  while (rounds.length < ROUNDS && performance.now() < end) {
    const times = Array.from(running, () => 0)
    const places = [...running.keys()]
    for (const place of rounds.length % 2 === 0 ? places : places.toReversed()) {
      times[place] = await running[place]!.turn(asked, asked.requests)
    }
    rounds.push(times)
  }
  const ratios = CASES.slice(1).map((_, place) => median(rounds.map((times) => times[place + 1]! / times[0]!)))
  return [asked.name, median(rounds.map(([off]) => off!)).toFixed(1), ...ratios.map((ratio) => ratio.toFixed(3))]
}

export const benchTelemetry = async (): Promise<void> => {
  printLoad()
  const collector = fork(fileURLToPath(new URL("./collector.ts", import.meta.url)), { execArgv: [] })
  const [url] = await once(collector, "message") as [string]
  const running: Array<Service> = []
  try {
    for (const [, ratio] of CASES) running.push(await startService(url, ratio))
    const rows: Array<ReadonlyArray<string>> = []
    for (const asked of ASKED) rows.push(await measure(running, asked))
    const [[first], ...others] = CASES as [typeof CASES[number], ...typeof CASES]
    printTable(["CPU per request", `${first}, µs`, ...others.map(([name]) => `${name}, times as much`)], rows)
  } finally {
    await Promise.all(running.map(({ stop }) => stop()))
    collector.disconnect()
  }
  printLoad()
  print("")
}
