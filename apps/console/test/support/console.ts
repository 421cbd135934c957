/**
 * The console as a person has it: the real server on embedded storage, and a real browser. Whatever goes wrong in
 * either and was not foreseen by a test is kept for it to fail.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { createClient } from "@tributary/client"
import { createOperator } from "@tributary/client/operator"
import { launchChromium } from "../../../../.ci/chromium.ts"
import { type Environment, type RunningServer, startServer } from "../../../server/test/serverProcess.ts"
import { freePort } from "../../../../packages/sources/test/support/programs.ts"
import { signIn } from "./steps.ts"

const TOKEN = "operator-token-of-the-tests"

/** One browser for all files that a process runs: each test has a context of its own. It ends with the process. */
let launched: Promise<Browser> | undefined

/** What a browser or the server complains about. */
export class Problems {
  #found: Array<string> = []
  #foreseen: Array<RegExp> = []

  add(problem: string): void {
    if (!this.#foreseen.some((pattern) => pattern.test(problem))) this.#found.push(problem)
  }

  /** For the rest of a test. */
  foresee(...patterns: ReadonlyArray<RegExp>): void {
    this.#foreseen.push(...patterns)
  }

  take(): ReadonlyArray<string> {
    const found = this.#found
    this.#found = []
    this.#foreseen = []
    return found
  }
}

const watch = (page: Page, problems: Problems): void => {
  page.setDefaultTimeout(150_000)
  page.on("pageerror", ({ message }) => problems.add(`page: ${message}`))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.add(`console: ${message.text()}`)
  })
  page.on("response", (response) => {
    if (response.status() >= 500) problems.add(`${response.status()} ${response.url()}`)
  })
}

interface PageOptions extends BrowserContextOptions {
  /** Whether the pages that are not open are loaded, too, which takes more processor time than the one that is. */
  readonly preloads?: boolean
}

/** Runs in the browser. */
const saveData = (): void => {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } })
}

const isComplaint = (line: string): boolean => /"level":"?(ERROR|FATAL|WARN)/i.test(line)

/** `own` are those of the server, besides what every test needs. */
export const openConsole = async (own: Environment = {}) => {
  const directory = mkdtempSync(join(tmpdir(), "tributary-console-"))
  const port = String(await freePort())
  const problems = new Problems()
  const start = async (key?: string): Promise<RunningServer> => {
    const settings = {
      TRIBUTARY_PORT: port,
      TRIBUTARY_STORAGE: "embedded",
      TRIBUTARY_DATA_DIR: directory,
      TRIBUTARY_ADMIN_TOKEN: TOKEN,
      TRIBUTARY_LOG_FORMAT: "json",
      TRIBUTARY_FSYNC: "false",
      ...own
    }
    const server = await startServer([], settings, key)
    server.child.stderr!.on("data", (text: string) => {
      for (const line of text.split("\n").filter(isComplaint)) problems.add(`server: ${line}`)
    })
    return server
  }
  const [first, browser] = await Promise.all([start(), launched ??= launchChromium()])
  let server = first
  const operator = createOperator({ baseUrl: server.url, apiKey: TOKEN })
  // The first request builds the console where nobody has yet, which takes longer than a page may.
  await fetch(`${server.url}/console/`)

  const newPage = async ({ preloads = false, ...options }: PageOptions = {}): Promise<Page> => {
    // Colours are checked after transitions end, and a page that moves takes processor time for every frame.
    const still = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" } as const
    const context = await browser.newContext({ ...still, ...options })
    if (!preloads) await context.addInitScript(saveData)
    const page = await context.newPage()
    watch(page, problems)
    return page
  }

  return {
    url: server.url,
    key: server.key,
    operator,
    problems,
    newPage,
    /** Another tab of the same person. */
    newTab: async (page: Page) => {
      const tab = await page.context().newPage()
      watch(tab, problems)
      return tab
    },
    signInLink: async () => (await operator.signInLinks.create({})).url,
    stopServer: () => server.stop(),
    startServer: async () => {
      server = await start(first.key)
    },
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
      server.child.kill("SIGKILL")
      await server.ended
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

export type Console = Awaited<ReturnType<typeof openConsole>>

/** A console with its owner's page signed in, the address that the workspace's pages begin with, and a client by key. */
export const openSignedIn = async (own?: Environment) => {
  const console = await openConsole(own)
  const page = await console.newPage()
  const base = await signIn(page, await console.signInLink())
  return { console, page, base, client: createClient({ baseUrl: console.url, apiKey: console.key }) }
}
