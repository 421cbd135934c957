/**
 * Processor time per request over HTTP without a collector, and with one that gets none or a hundredth of the traces,
 * with everything that is sent to it. The cases answer in short turns, on ports of one process; the last two on the same
 * port.
 */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Pool } from "undici"
import { print, printLoad, printTable } from "../print.ts"
import { mean } from "../statistics.ts"
import { messageOf } from "./message.ts"
import { type Place, type Scenario, SCENARIOS, SMALLEST } from "./scenarios.ts"

const CONNECTIONS = 16

/** The default number of searched documents: few, because every case stores them first. */
const env = { TRIBUTARY_BENCH_DOCUMENTS: "1000", ...process.env }

const PORTS = ["silent", "silent", "sends"]

/** The second one without a collector shows how much two ports differ. */
const CASES = [
  { name: "no collector", port: 0, sent: 0 },
  { name: "no collector again", port: 1, sent: 0 },
  { name: "none sent", port: 2, sent: 0 },
  { name: "1 % sent", port: 2, sent: 0.01 }
]

interface Measured {
  readonly scenario: Scenario
  readonly warmUp: number
  /** Requests of a turn: some 20 ms of processor time, so that adjacent turns run under the same load. */
  readonly turn: number
  readonly seconds: number
}

const MEASURED: ReadonlyArray<Measured> = SCENARIOS.flatMap((scenario) => {
  if (scenario.name === SMALLEST) return [{ scenario, warmUp: 8_000, turn: 300, seconds: 140 }]
  return scenario.name.startsWith("search") ? [{ scenario, warmUp: 800, turn: 40, seconds: 60 }] : []
})

/** A caller's sampled trace, so that the code of spans is compiled as after hours with a hundredth of the requests. */
const TRACE = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` }

const SERVERS = new URL("./telemetryServers.ts", import.meta.url)
const COLLECTOR = new URL("./collector.ts", import.meta.url)

const start = async (module: URL, args: ReadonlyArray<string>) => {
  const child = fork(fileURLToPath(module), args, { execArgv: [], env })
  return { child, first: await messageOf(child) }
}

/** Sends requests to one port; one per connection at a time. */
const sender = (place: Place) => {
  const pool = new Pool(`http://127.0.0.1:${place.port}`, { connections: CONNECTIONS })
  let sent = 0
  const sendOne = async ({ body, key, method, path }: Scenario, headers: Readonly<Record<string, string>>) => {
    const response = await pool.request({
      method,
      path: path(place),
      headers: { authorization: `Bearer ${key(place)}`, "content-type": "application/json", ...headers },
      body: body?.(sent++) ?? null
    })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  }
  const send = async (scenario: Scenario, requests: number, headers: Readonly<Record<string, string>> = {}) => {
    let left = requests
    const connection = async (): Promise<void> => {
      while (left-- > 0) await sendOne(scenario, headers)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  }
  return { send, close: () => pool.close() }
}

/** Half of the rounds: in those that took longest, other work on the machine made some cases slower than others. */
const undisturbed = (rounds: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<ReadonlyArray<number>> =>
  rounds.toSorted((one, other) => mean(one) - mean(other)).slice(0, Math.ceil(rounds.length / 2))

/** The ratio of the means of two cases, and its standard error. */
const compared = (rounds: ReadonlyArray<ReadonlyArray<number>>, place: number, to: number): string => {
  const base = mean(rounds.map((round) => round[to]!))
  const ratio = mean(rounds.map((round) => round[place]!)) / base
  const squares = rounds.map((round) => (round[place]! - ratio * round[to]!) ** 2)
  return `${ratio.toFixed(3)} ± ${(Math.sqrt(mean(squares) / (rounds.length - 1)) / base).toFixed(3)}`
}

/** Microseconds per request of each case, by round. Every second round has the reverse order. */
const measure = async (
  child: ChildProcess,
  senders: ReadonlyArray<ReturnType<typeof sender>>,
  { scenario, seconds, turn, warmUp }: Measured
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const cpuTime = async (): Promise<number> => {
    child.send("cpuTime")
    return Number(await messageOf(child))
  }
  for (const { send } of senders) {
    await send(scenario, warmUp / 2, TRACE)
    await send(scenario, warmUp / 2)
  }
  const rounds: Array<ReadonlyArray<number>> = []
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    const order = [...CASES.entries()]
    const times: Array<number> = []
    for (const [place, { port, sent }] of rounds.length % 2 === 0 ? order : order.toReversed()) {
      child.send(sent)
      const before = await cpuTime()
      await senders[port]!.send(scenario, turn)
      times[place] = (await cpuTime() - before) / turn
    }
    rounds.push(times)
  }
  return rounds
}

export const benchTelemetry = async (): Promise<void> => {
  printLoad()
  const { child: collector, first: url } = await start(COLLECTOR, [])
  const { child, first } = await start(SERVERS, [String(url), ...PORTS])
  const senders = (first as ReadonlyArray<Place>).map(sender)
  try {
    const rows: Array<ReadonlyArray<string>> = []
    for (const measured of MEASURED) {
      const rounds = undisturbed(await measure(child, senders, measured))
      const ratios = [...CASES.slice(1).map((_, place) => compared(rounds, place + 1, 0)), compared(rounds, 3, 2)]
      const [kind] = measured.scenario.name.split(" over ")
      rows.push([`${kind}, ${rounds.length} turns`, mean(rounds.map(([first]) => first!)).toFixed(1), ...ratios])
    }
    printTable(
      [
        "CPU per request over HTTP",
        ...CASES.map(({ name }, place) => place === 0 ? `${name}, µs` : `${name}, ratio`),
        "1 % sent / none sent"
      ],
      rows
    )
  } finally {
    await Promise.all(senders.map(({ close }) => close()))
    child.disconnect()
    collector.disconnect()
  }
  printLoad()
  print("")
}
