/** Processor time of an assistant's tool call, compared with the same request to the public API. */
import { print, printLoad, printTable } from "../print.ts"
import { median } from "../statistics.ts"
import { queryOf, type Scenario } from "./scenarios.ts"
import { Server } from "./Server.ts"

const ROUNDS = 7

interface Call {
  readonly tool: string
  readonly args: (number: number) => object
  readonly path: Scenario["path"]
  readonly body: (number: number) => object
  readonly requests: number
}

const note = (number: number) => ({ external_id: `note-${number % 5_000}`, text: `Note ${number}: ${queryOf(number)}` })

const CALLS: ReadonlyArray<Call> = [
  {
    tool: "search",
    args: (number) => ({ query: queryOf(number) }),
    path: () => "/v1/knowledge/search",
    body: (number) => ({ q: queryOf(number) }),
    requests: 400
  },
  {
    tool: "ask",
    args: (number) => ({ query: queryOf(number) }),
    path: () => "/v1/knowledge/ask",
    body: (number) => ({ query: queryOf(number) }),
    requests: 40
  },
  {
    tool: "add_documents",
    args: (number) => ({ connector: "bench", documents: [note(number)] }),
    path: ({ connectorId }) => `/v1/custom-connectors/${connectorId}/ingest/text`,
    body: (number) => ({ items: [note(number)] }),
    requests: 400
  }
]

/** The compiler needs some thousand calls to warm up. */
const WARM_UP = 10

const scenariosOf = ({ args, body, path, requests, tool }: Call): readonly [rest: Scenario, mcp: Scenario] => {
  const common = {
    method: "POST" as const,
    key: ({ ingestKey, searchKey }: Parameters<Scenario["key"]>[0]) => tool === "add_documents" ? ingestKey : searchKey,
    requests,
    warmUp: WARM_UP * requests
  }
  return [
    { ...common, name: `REST ${tool}`, path, body: (number) => JSON.stringify(body(number)) },
    {
      ...common,
      name: `MCP ${tool}`,
      path: () => "/mcp",
      accept: "application/json, text/event-stream",
      body: (number) =>
        JSON.stringify({
          jsonrpc: "2.0",
          id: number,
          method: "tools/call",
          params: { name: tool, arguments: args(number) }
        })
    }
  ]
}

/** Both kinds of request take turns, so that other work on the machine affects both. */
const measure = async (server: Server, call: Call): Promise<ReadonlyArray<string>> => {
  const scenarios = scenariosOf(call)
  for (const scenario of scenarios) await server.measure(scenario, scenario.warmUp)
  const times = new Map<string, Array<number>>(scenarios.map(({ name }) => [name, []]))
  for (let round = 1; round <= ROUNDS; round++) {
    for (const scenario of scenarios) times.get(scenario.name)!.push((await server.measure(scenario)).cpu)
  }
  const [rest, mcp] = scenarios.map(({ name }) => median(times.get(name)!)) as [number, number]
  return [call.tool, rest.toFixed(0), mcp.toFixed(0), (mcp - rest).toFixed(0), (mcp / rest).toFixed(2)]
}

export const benchMcp = async (): Promise<void> => {
  printLoad()
  const server = await Server.start("ours")
  try {
    const rows: Array<ReadonlyArray<string>> = []
    for (const call of CALLS) rows.push(await measure(server, call))
    printTable(["CPU per call", "REST, µs", "MCP, µs", "MCP beyond REST, µs", "MCP / REST"], rows)
  } finally {
    await server.stop()
  }
  printLoad()
  print("")
}
