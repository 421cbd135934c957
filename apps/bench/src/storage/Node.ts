/** The server as users run it, in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool } from "undici"
import { bundleServer } from "../../../../.ci/bundle.ts"
import { ALLOCATOR, HEAP } from "../../../server/src/serve/processMemory.ts"
import { processorSecondsOf } from "../processor.ts"

const bundle = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-server-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  await bundleServer(folder, { inPlace: true })
  return join(folder, "main.js")
}

let bundled: Promise<string> | undefined

const main = (): Promise<string> => bundled ??= bundle()

const OPERATOR_TOKEN = randomUUID()

const SCOPES = ["api:read", "api:write"]

/** The caller's own settings are removed. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("TRIBUTARY_") && name !== "DATABASE_URL")
  )

/** A command of the server's, such as `export`. */
export const runCommand = async (
  settings: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
): Promise<void> => {
  const child = spawn(process.execPath, [await main(), ...words], {
    env: { ...cleanEnvironment(), TRIBUTARY_LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}`)
}

export class Node {
  readonly url: string
  /** Seconds until it listened. */
  readonly seconds: number
  /** Printed on a first start only. */
  readonly key: string | undefined
  readonly #child: ChildProcess
  readonly #pool: Pool

  private constructor(child: ChildProcess, banner: string, seconds: number) {
    this.url = /listens on (\S+)/.exec(banner)![1]!
    this.key = /pk_live_\w+/.exec(banner)?.[0]
    this.seconds = seconds
    this.#child = child
    this.#pool = new Pool(this.url, { connections: 16 })
  }

  /** `watch` is a module that is loaded in the server's process, and answers what `watched` asks. */
  static async start(settings: Readonly<Record<string, string>>, watch?: URL): Promise<Node> {
    const program = await main()
    const began = performance.now()
    const watching = watch === undefined ? [] : ["--expose-gc", "--import", watch.href]
    const child = spawn(process.execPath, [...HEAP, ...watching, program, "serve"], {
      env: {
        ...cleanEnvironment(),
        // A server with a channel to this process does not set it itself.
        ...ALLOCATOR,
        TRIBUTARY_PORT: "0",
        TRIBUTARY_LOG_LEVEL: "error",
        TRIBUTARY_ADMIN_TOKEN: OPERATOR_TOKEN,
        ...settings
      },
      stdio: ["ignore", "pipe", "inherit", watch === undefined ? "ignore" : "ipc"]
    })
    let banner = ""
    for await (const text of child.stdout!.setEncoding("utf8")) {
      banner += text
      if (/listens on/.test(banner) && banner.endsWith("\n\n")) break
    }
    if (!banner.includes("listens on")) throw new Error(`no banner: ${banner}`)
    return new Node(child, banner, (performance.now() - began) / 1_000)
  }

  /** Megabytes; NaN if the system does not report it. */
  get residentMegabytes(): number {
    return this.#megabytes("VmRSS")
  }

  /** The most that it ever had, as `residentMegabytes`. */
  get mostMegabytes(): number {
    return this.#megabytes("VmHWM")
  }

  /** Seconds of processor time so far, of all threads; NaN if the system does not report it. */
  get processorSeconds(): number {
    return processorSecondsOf(this.#child.pid!)
  }

  /** What the module that watches the process says. */
  async watched(question: string): Promise<unknown> {
    const answered = once(this.#child, "message")
    this.#child.send(question)
    const [answer] = await answered as [unknown]
    return answer
  }

  /** The key of a new workspace, which may do as much as it can. */
  async newKey(): Promise<string> {
    const account = { name: "Bench", tier: "pro" }
    const { personal_workspace: { workspace_id } } = await this.request(
      OPERATOR_TOKEN,
      "POST",
      "/admin/v1/accounts",
      account
    ) as { readonly personal_workspace: { readonly workspace_id: string } }
    const path = `/admin/v1/workspaces/${workspace_id}/api-keys`
    const { secret } = await this.request(OPERATOR_TOKEN, "POST", path, { name: "Bench", scopes: SCOPES }) as {
      readonly secret: string
    }
    return secret
  }

  async request(key: string, method: "GET" | "PATCH" | "POST", path: string, body?: unknown): Promise<unknown> {
    const response = await this.#pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body)
    })
    const text = await response.body.text()
    if (response.statusCode === 503) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return this.request(key, method, path, body)
    }
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`)
    return JSON.parse(text)
  }

  /** As Prometheus reads them. */
  async metrics(): Promise<string> {
    const response = await this.#pool.request({ method: "GET", path: "/metrics" })
    return response.body.text()
  }

  #megabytes(name: string): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8")
      return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1_024
    } catch {
      return NaN
    }
  }

  async stop(): Promise<void> {
    await this.#pool.close()
    this.#child.kill("SIGTERM")
    await once(this.#child, "close")
  }
}
