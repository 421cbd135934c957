/** A call as a command for the shell and as a program. What is in it may be anything: it is quoted for where it stands. */

/** One word to a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const pretty = (body: object): string => JSON.stringify(body, null, 2)

export const curlOf = (path: string, body: object, headers: ReadonlyArray<string> = []): string =>
  [
    `curl ${location.origin}${path}`,
    ...["Authorization: Bearer $KEY", "Content-Type: application/json", ...headers].map((header) => `  -H "${header}"`),
    `  -d ${quoted(pretty(body))}`
  ].join(" \\\n")

const HEAD = () =>
  `import { createClient } from "@tributary/client"

const client = createClient({ baseUrl: ${JSON.stringify(location.origin)}, apiKey: process.env.KEY })
`

/** Dates are dates in a program. */
const literal = (body: object): string =>
  pretty(body)
    .replace(/"(from|to)": ("[^"]+")/g, "\"$1\": new Date($2)")
    .replace(/^(\s*)"([a-z_]+)":/gm, "$1$2:")

export const searchProgram = (body: object): string =>
  `${HEAD()}
const { results } = await client.knowledge.search(${literal(body)})
for (const { title, snippet } of results) console.log(title, snippet)`

export const askProgram = (body: object): string =>
  `${HEAD()}
const stream = client.knowledge.askStream(${literal(body)})
for await (const { event, data } of stream) {
  if (event === "delta") process.stdout.write(data.text)
}`
