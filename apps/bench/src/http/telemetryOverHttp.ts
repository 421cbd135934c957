/** The processor time of whole servers with and without a collector, with everything that they send to it. */
import { printTable } from "../print.ts"
import { LEAST, SCENARIOS } from "./scenarios.ts"
import { Server } from "./Server.ts"

const TURNS = 30

/** Some hundred milliseconds: adjacent turns run under the same load, and every turn sends some batches of spans. */
const REQUESTS = 5_000

const get = SCENARIOS.find(({ name }) => name === LEAST)!

/** The second one without a collector shows the noise. */
const casesOf = (url: string): ReadonlyArray<readonly [name: string, args: ReadonlyArray<string>]> => [
  ["no collector", []],
  ["no collector again", []],
  ["1 % sent", [url, "0.01"]]
]

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean of the ratios of adjacent turns, and its standard error. */
const compared = (times: ReadonlyArray<number>, base: ReadonlyArray<number>): string => {
  const ratios = times.map((time, turn) => time / base[turn]!)
  const average = mean(ratios)
  const variance = mean(ratios.map((ratio) => (ratio - average) ** 2))
  return `${average.toFixed(3)} ± ${Math.sqrt(variance / (ratios.length - 1)).toFixed(3)}`
}

/** Turns in alternating order. */
export const telemetryOverHttp = async (url: string): Promise<void> => {
  const cases = casesOf(url)
  const servers = await Promise.all(cases.map(([, args]) => Server.start("ours", args)))
  try {
    for (const server of servers) await server.measure(get, get.warmUp)
    const times = servers.map((): Array<number> => [])
    for (let turn = 0; turn < TURNS; turn++) {
      const order = [...servers.entries()]
      for (const [place, server] of turn % 2 === 0 ? order : order.toReversed()) {
        times[place]!.push((await server.measure(get, REQUESTS)).cpu)
      }
    }
    const [base = []] = times
    printTable(
      [
        "CPU per request over HTTP",
        ...cases.map(([name], place) => `${name}, ${place === 0 ? "µs" : "times as much"}`)
      ],
      [[LEAST, mean(base).toFixed(1), ...times.slice(1).map((others) => compared(others, base))]]
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
