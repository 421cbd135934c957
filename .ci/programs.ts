// Servers that run from installed packages, and requests to them.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { cleanEnvironment, run } from "./consumer.ts"

const TOKEN = "operator-token-of-the-packed-check"

/** The exit codes of Effect's runner after SIGTERM. */
const INTERRUPTED = 130

interface Program {
  readonly child: ChildProcess
  /** Its address. */
  readonly url: string
  /** Its standard output and standard error so far. */
  readonly printed: () => string
  readonly logged: () => string
}

const start = async (
  folder: string,
  node: string,
  args: ReadonlyArray<string>,
  settings: Readonly<Record<string, string>>
): Promise<Program> => {
  const child = spawn(node, args, {
    cwd: folder,
    env: { ...cleanEnvironment(node), ...settings },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let printed = ""
  let logged = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => logged += text)
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject).once("exit", () => reject(new Error(`${args.join(" ")} ended: ${printed}${logged}`)))
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      const [, address] = /(http:\/\/\S+)\n/.exec(printed) ?? []
      if (address !== undefined) resolve(address)
    })
  })
  return { child, url, printed: () => printed, logged: () => logged }
}

/** Stops a program with SIGTERM, and fails unless it exits with one of these codes. */
const stop = async ({ child, logged }: Program, codes: ReadonlyArray<number>): Promise<void> => {
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const [code, signal] = await ended
  if (!codes.includes(code)) {
    throw new Error(`after SIGTERM, ${child.spawnargs.join(" ")} ended with ${code ?? signal}: ${logged()}`)
  }
}

/** Runs a program while `use` runs. */
const during = async <A>(
  starting: Promise<Program>,
  codes: ReadonlyArray<number>,
  use: (program: Program) => Promise<A>
): Promise<A> => {
  const program = await starting
  try {
    const result = await use(program)
    await stop(program, codes)
    return result
  } finally {
    program.child.kill("SIGKILL")
  }
}

const send = async <A>(url: string, key: string, body?: unknown): Promise<A> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(
    url,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
  )
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return await response.json() as A
}

/** A key of a new account without limits. */
const newKey = async (url: string): Promise<string> => {
  const account = { name: "Packed", tier: "pro" }
  const { personal_workspace: { workspace_id } } = await send<{ personal_workspace: { workspace_id: string } }>(
    `${url}/admin/v1/accounts`,
    TOKEN,
    account
  )
  const key = { name: "Packed", scopes: ["api:read", "api:write"] }
  return (await send<{ secret: string }>(`${url}/admin/v1/workspaces/${workspace_id}/api-keys`, TOKEN, key)).secret
}

const createConnector = async (url: string, key: string): Promise<string> => {
  const source = { name: "Notes", source_name: "notes" }
  const { connector_id } = await send<{ connector_id: string }>(`${url}/v1/custom-connectors`, key, source)
  return `${url}/v1/custom-connectors/${connector_id}`
}

/** A file that is parsed in a separate process, whose program must be among the installed files. */
const uploadMail = async (url: string, key: string): Promise<void> => {
  const form = new FormData()
  form.append("file", new File(["Subject: Boiler\r\n\r\nIt is serviced in May.\r\n"], "boiler.eml"))
  const path = `${await createConnector(url, key)}/ingest/typed/upload`
  const response = await fetch(path, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form })
  if (!response.ok) throw new Error(`an upload: ${response.status} ${await response.text()}`)
  const { results } = await send<{ results: ReadonlyArray<unknown> }>(`${url}/v1/knowledge/search`, key, {
    q: "serviced"
  })
  if (results.length !== 1) throw new Error("what was uploaded is not found")
}

const openConsole = async (url: string): Promise<void> => {
  const page = await (await fetch(`${url}/console/`)).text()
  const [, script] = /<script type="module" crossorigin src="([^"]+)"/.exec(page) ?? []
  const { headers, status } = await fetch(new URL(script ?? "/console/none.js", url))
  if (status !== 200 || !headers.get("content-type")?.startsWith("text/javascript")) {
    throw new Error(`the console did not come along: ${page}`)
  }
}

/** `tributary serve --demo` answers questions about itself and serves the clients of the guides. Returns their output. */
export const useServer = (
  folder: string,
  node: string,
  clients: ReadonlyArray<string>,
  storage: Readonly<Record<string, string>>
): Promise<ReadonlyArray<string>> => {
  const settings = { TRIBUTARY_PORT: "0", TRIBUTARY_ADMIN_TOKEN: TOKEN, ...storage }
  const command = join(folder, "node_modules/.bin/tributary")
  return during(start(folder, command, ["serve", "--demo"], settings), [0], async ({ printed, url }) => {
    const [key] = /pk_live_\w+/.exec(printed()) ?? [""]
    const question = { query: "How do I rotate an API key without downtime?" }
    const { citations } = await send<{ citations: ReadonlyArray<unknown> }>(`${url}/v1/knowledge/ask`, key, question)
    if (citations.length === 0) {
      throw new Error("the demo's question has no answer: the documentation did not come along")
    }
    await uploadMail(url, await newKey(url))
    await openConsole(url)
    const env = { TRIBUTARY_URL: url, TRIBUTARY_KEY: await newKey(url) }
    const outputs: Array<string> = []
    for (const client of clients) outputs.push(await run(folder, node, [client], env))
    return outputs
  })
}

/** The service inside a host's own server answers beside the host's routes. */
export const useMount = (folder: string, node: string, example: string): Promise<void> =>
  during(start(folder, node, [example], { PORT: "0", ADMIN_TOKEN: TOKEN }), [0, INTERRUPTED], async ({ url }) => {
    const key = await newKey(url)
    const items = [{ text: "Deploys run on weekdays." }]
    await send(`${await createConnector(url, key)}/ingest/text`, key, { items })
    const question = { query: "When do deploys run?" }
    const { answered } = await send<{ answered: boolean }>(`${url}/v1/knowledge/ask`, key, question)
    if (!answered) throw new Error(`${example} does not answer`)
    const { hello } = await send<{ hello: string }>(`${url}/hello`, key)
    if (hello !== "from the host") throw new Error(`${example} hides the host's own routes`)
  })
