/**
 * Processor time per request without a collector, and with one that gets none, a hundredth or all of the traces. Each
 * case has a separate process, and only its turns count: periodic exports are not a cost of a request. They count over
 * HTTP, where all processor time of a server does.
 */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { median, print, printLoad, printTable } from "../print.ts"
import { messageOf } from "./message.ts"
import { telemetryOverHttp } from "./telemetryOverHttp.ts"
import type { Turn } from "./telemetered.ts"

interface Asked {
  readonly kind: Turn["kind"]
  readonly warmUp: number
}

const ASKED: ReadonlyArray<Asked> = [
  { kind: "GET settings", warmUp: 30_000 },
  { kind: "search", warmUp: 1_500 }
]

/** The compiled code of processes differs by some percent, so each round starts new ones. */
const ROUNDS = 5

/** Microseconds of each process, for each kind, in a round. */
const MEASURED = 1_000_000

/** The minimum duration of a turn in microseconds: so short that adjacent turns run under the same load. */
const TURN = 5_000

/** The minimum duration of a turn, in steps of the clock. */
const STEPS = 20

/** Requests of a turn while code is still being compiled. */
const FIRST = 50

/** The second one without a collector shows the noise. */
const CASES: ReadonlyArray<readonly [name: string, ratio: number | null]> = [
  ["no collector", null],
  ["no collector again", null],
  ["none sent", 0],
  ["1 % sent", 0.01],
  ["all sent", 1]
]

/** The default number of searched documents: few, because every process stores them first. */
const env = { TRIBUTARY_BENCH_DOCUMENTS: "1000", ...process.env }

const SERVICE = new URL("./telemetered.ts", import.meta.url)
const COLLECTOR = new URL("./collector.ts", import.meta.url)

const start = async (module: URL, args: ReadonlyArray<string>) => {
  const child = fork(fileURLToPath(module), args, { execArgv: [], env })
  return { child, first: await messageOf(child) }
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const taken = async (child: ChildProcess, turn: Turn): Promise<number> => {
  child.send(turn)
  return Number(await messageOf(child))
}

/**
 * Microseconds per request of each process: the median of its turns, because other work on the machine makes single
 * ones longer. Each turn starts with the processor caches of another process.
 */
const measure = async (running: ReadonlyArray<ChildProcess>, { kind, warmUp }: Asked, least: number) => {
  let sent = 0
  const turns = async (
    requests: number,
    isEnough: (times: ReadonlyArray<number>) => boolean,
    isTraced = false
  ) => {
    const times: Array<ReadonlyArray<number>> = []
    do {
      const turn: Array<number> = []
      for (const child of running) turn.push(await taken(child, { kind, first: sent, requests, isTraced }))
      times.push(turn)
      sent += requests
    } while (!isEnough(times.map((turn) => Math.min(...turn))))
    return running.map((_, place) => median(times.map((turn) => turn[place]! / requests)))
  }
  // With a hundredth of the requests, the code of spans would not be compiled.
  await turns(FIRST, () => sent >= warmUp / 2, true)
  await turns(FIRST, () => sent >= warmUp)
  const warm = await turns(FIRST, (times) => sum(times) >= least)
  return turns(Math.ceil(least / Math.min(...warm)), (times) => sum(times) >= MEASURED)
}

type Round = ReadonlyMap<Turn["kind"], ReadonlyArray<number>>

const measureRound = async (url: string): Promise<Round> => {
  const running: Array<ChildProcess> = []
  try {
    let least = TURN
    for (const [, ratio] of CASES) {
      const { child, first } = await start(SERVICE, ratio === null ? [] : [url, String(ratio)])
      running.push(child)
      least = Math.max(least, STEPS * Number(first))
    }
    const round = new Map<Turn["kind"], ReadonlyArray<number>>()
    for (const asked of ASKED) round.set(asked.kind, await measure(running, asked, least))
    return round
  } finally {
    for (const child of running) child.disconnect()
  }
}

const spread = (ratios: ReadonlyArray<number>): string =>
  `${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`

export const benchTelemetry = async (): Promise<void> => {
  printLoad()
  const { child: collector, first: url } = await start(COLLECTOR, [])
  const rounds: Array<Round> = []
  try {
    while (rounds.length < ROUNDS) {
      const round = await measureRound(String(url))
      rounds.push(round)
      for (const [kind, times] of round) {
        process.stderr.write(
          `round ${rounds.length}, ${kind}, µs: ${times.map((time) => time.toFixed(1)).join(", ")}\n`
        )
      }
    }
    await telemetryOverHttp(String(url))
  } finally {
    collector.disconnect()
  }
  printTable(
    ["CPU per request", ...CASES.map(([name], place) => `${name}, ${place === 0 ? "µs" : "times as much"}`)],
    ASKED.map(({ kind }) => {
      const times = rounds.map((round) => round.get(kind)!)
      const ratios = CASES.slice(1).map((_, place) => spread(times.map((time) => time[place + 1]! / time[0]!)))
      return [kind, median(times.map(([off]) => off!)).toFixed(1), ...ratios]
    })
  )
  printLoad()
  print("")
}
