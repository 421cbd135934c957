/** A call as a command for the shell and as programs. Its values may be anything, so each is quoted for its language. */
import { SERVER } from "../../api/server.ts"

export interface Call {
  readonly operation: "ask" | "search"
  readonly body: object
}

export const LANGUAGES = [
  { name: "curl", title: "With an API key in $KEY" },
  { name: "TypeScript", title: "With @tributary/client and an API key in KEY" },
  { name: "Effect", title: "With the client as an Effect service, and an API key in KEY" },
  { name: "Python", title: "With nothing but Python, and an API key in KEY" }
] as const

/** What an assistant sends, with a key of its own. */
const MCP = { name: "MCP", title: "As an assistant calls the tool, with an API key in $KEY" } as const

/** An assistant keeps the conversation itself, and asks whole questions. */
export const formsFor = ({ mcp }: { readonly mcp: boolean }, { body }: Call) =>
  mcp && !("history" in body) ? [...LANGUAGES, MCP] : LANGUAGES

type Form = (typeof LANGUAGES[number] | typeof MCP)["name"]

/** One word to a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const pretty = (body: object): string => JSON.stringify(body, null, 2)

const curl = ({ body, operation }: Call): string =>
  [
    `curl ${SERVER}/v1/knowledge/${operation}`,
    "  -H \"Authorization: Bearer $KEY\"",
    "  -H \"Content-Type: application/json\"",
    ...(operation === "ask" ? ["  -H \"Accept: text/event-stream\""] : []),
    `  -d ${quoted(pretty(body))}`
  ].join(" \\\n")

/** Dates are dates in a program. */
const literal = (body: object): string =>
  pretty(body)
    .replace(/"(from|to)": ("[^"]+")/g, "\"$1\": new Date($2)")
    .replace(/^(\s*)"([a-z_]+)":/gm, "$1$2:")

const typeScript = ({ body, operation }: Call): string =>
  `import { createClient } from "@tributary/client"

const client = createClient({ baseUrl: ${JSON.stringify(SERVER)}, apiKey: process.env.KEY })

${
    operation === "search"
      ? `const { results } = await client.knowledge.search(${literal(body)})
for (const { title, snippet } of results) console.log(title, snippet)`
      : `const stream = client.knowledge.askStream(${literal(body)})
for await (const { event, data } of stream) {
  if (event === "delta") process.stdout.write(data.text)
}`
  }`

const effect = ({ body, operation }: Call): string =>
  `import { TributaryClient } from "@tributary/client/TributaryClient"
import { Config, Console, Effect, Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const client = Layer.unwrap(Effect.map(
  Config.redacted("KEY"),
  (apiKey) => TributaryClient.layer({ baseUrl: ${JSON.stringify(SERVER)}, apiKey })
))

const program = Effect.gen(function*() {
  const { knowledge } = yield* TributaryClient
  const answer = yield* knowledge.${operation}({ payload: ${literal(body).replaceAll("\n", "\n  ")} })
  yield* Console.log(answer)
})

await Effect.runPromise(program.pipe(Effect.provide(Layer.provide(client, FetchHttpClient.layer))))`

/** A JSON text as a Python string literal. */
const python = ({ body, operation }: Call): string =>
  `import json, os, urllib.request

body = json.loads(${JSON.stringify(JSON.stringify(body))})
request = urllib.request.Request(
    ${JSON.stringify(`${SERVER}/v1/knowledge/${operation}`)},
    data=json.dumps(body).encode(),
    headers={"Authorization": "Bearer " + os.environ["KEY"], "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(${operation === "ask" ? `answer["response"]` : `[result["title"] for result in answer["results"]]`})`

/** What the tools take. */
const ARGUMENTS = {
  ask: ["query", "sources", "from", "to"],
  search: ["query", "sources", "from", "to", "metadata", "limit"]
} as const

const mcp = ({ body, operation }: Call): string => {
  const given: Readonly<Record<string, unknown>> = { query: "q" in body ? body.q : undefined, ...body }
  const args = Object.fromEntries(
    ARGUMENTS[operation].flatMap((name) => given[name] === undefined ? [] : [[name, given[name]]])
  )
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: operation, arguments: args } }
  return [
    `curl ${SERVER}/mcp`,
    "  -H \"Authorization: Bearer $KEY\"",
    "  -H \"Content-Type: application/json\"",
    "  -H \"Accept: application/json, text/event-stream\"",
    `  -d ${quoted(pretty(call))}`
  ].join(" \\\n")
}

const PROGRAMS: Readonly<Record<Form, (call: Call) => string>> = {
  curl,
  TypeScript: typeScript,
  Effect: effect,
  Python: python,
  MCP: mcp
}

export const programOf = (form: Form, call: Call): string => PROGRAMS[form](call)
