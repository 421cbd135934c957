// Servers that run from installed packages, and requests to them.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cleanEnvironment } from "./consumer.ts"

export const TOKEN = "operator-token-of-the-packed-check"

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

export const start = async (
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
export const during = async <A>(
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

export const send = async <A>(url: string, key: string, body?: unknown): Promise<A> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(
    url,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
  )
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return await response.json() as A
}

/** A key of a new account without limits. */
export const newKey = async (url: string): Promise<string> => {
  const account = { name: "Packed", tier: "pro" }
  const { personal_workspace: { workspace_id } } = await send<{ personal_workspace: { workspace_id: string } }>(
    `${url}/admin/v1/accounts`,
    TOKEN,
    account
  )
  const key = { name: "Packed", scopes: ["api:read", "api:write"] }
  return (await send<{ secret: string }>(`${url}/admin/v1/workspaces/${workspace_id}/api-keys`, TOKEN, key)).secret
}

export const createConnector = async (url: string, key: string): Promise<string> => {
  const source = { name: "Notes", source_name: "notes" }
  const { connector_id } = await send<{ connector_id: string }>(`${url}/v1/custom-connectors`, key, source)
  return `${url}/v1/custom-connectors/${connector_id}`
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
