/** Processor time per request, compared with Fastify and bare node:http, which do the same in the same run. */
import { setTimeout } from "node:timers/promises"
import { print, printLoad, printTable } from "../print.ts"
import { median } from "../statistics.ts"
import { INGESTS, SCENARIOS, SEARCH, SMALLEST } from "./scenarios.ts"
import type { Times } from "./child.ts"
import { Server } from "./Server.ts"

const ROUNDS = 5

/** Before a round, in milliseconds: the context is refreshed a second after the last ingest of the round before. */
const PAUSE = 2_000

/** The servers take turns in every scenario of every round, so that other work on the machine affects all of them. */
const measure = async (servers: ReadonlyArray<Server>) => {
  const times = new Map<string, Array<Times>>()
  for (const scenario of SCENARIOS) for (const server of servers) await server.measure(scenario, scenario.warmUp)
  for (let round = 1; round <= ROUNDS; round++) {
    await setTimeout(PAUSE)
    for (const scenario of SCENARIOS) {
      for (const server of servers) {
        const time = await server.measure(scenario)
        process.stderr.write(`round ${round}, ${scenario.name}, ${server.name}: ${time.cpu.toFixed(0)} µs\n`)
        const name = `${server.name} ${scenario.name}`
        times.set(name, [...times.get(name) ?? [], time])
      }
    }
  }
  return (server: string, scenario: string, name: keyof Times = "cpu") =>
    median((times.get(`${server} ${scenario}`) ?? []).map((time) => time[name]))
}

export const benchHttp = async (): Promise<void> => {
  printLoad()
  const servers = await Promise.all(["ours", "fastify", "bare"].map((name) => Server.start(name)))
  try {
    const time = await measure(servers)
    printTable(
      ["CPU per request", "ours, µs", "Fastify, µs", "bare, µs", "ours / Fastify", "ours / bare"],
      SCENARIOS.map(({ name }) => {
        const [ours, fastify, bare] = [time("ours", name), time("fastify", name), time("bare", name)]
        const micros = [ours, fastify, bare].map((value) => value.toFixed(0))
        return [name, ...micros, (ours / fastify).toFixed(2), (ours / bare).toFixed(2)]
      })
    )
    print(
      `A ${SEARCH} beyond a ${SMALLEST}, µs: ${
        servers.map(({ name }) => `${name} ${(time(name, SEARCH) - time(name, SMALLEST)).toFixed(0)}`).join(", ")
      }`
    )
    const unindexed = INGESTS.map(({ name }) => {
      const ours = time("ours", name) - time("ours", name, "index")
      return `${name} ${ours.toFixed(0)} µs, ${(ours / time("fastify", name)).toFixed(2)} times Fastify`
    })
    print(`Without building the index, which the others do not: ${unindexed.join("; ")}`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  printLoad()
  print("")
}
