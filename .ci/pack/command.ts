// The `tributary` command of an installed package: a server and its threads, processes, files and commands.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { processorSecondsOf } from "../../apps/bench/src/processor.ts"
import { zip } from "../../packages/extract/test/support/zip.ts"
import { namedFontPdf } from "../../packages/extract/test/support/pdf.ts"
import { cleanEnvironment, run } from "./consumer.ts"
import { createConnector, during, newKey, send, start, TOKEN } from "./programs.ts"

type Settings = Readonly<Record<string, string>>

export interface Installed {
  /** Where it runs, and where programs of clients are. */
  readonly folder: string
  readonly node: string
  readonly command: string
  /** Whether its storage outlives it. */
  readonly isEmbedded: boolean
}

const OFFICE = "http://schemas.openxmlformats.org"

const word = (text: string): Buffer =>
  zip([
    {
      name: "_rels/.rels",
      content: Buffer.from(
        `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="1" Target="word/document.xml"
          Type="${OFFICE}/officeDocument/2006/relationships/officeDocument"/></Relationships>`
      )
    },
    {
      name: "word/document.xml",
      content: Buffer.from(
        `<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p>
          </w:body></w:document>`
      )
    }
  ])

/** Files that separate processes parse, whose programs must be among the installed files, with a word of each. */
const UPLOADS: ReadonlyArray<readonly [name: string, content: Uint8Array, word: string]> = [
  ["boiler.eml", Buffer.from("Subject: Boiler\r\n\r\nIt is serviced in May.\r\n"), "serviced"],
  ["lifeboat.docx", word("The lifeboat carries a radio."), "lifeboat"],
  // Needs a character map, which the package contains.
  ["japanese.pdf", namedFontPdf("90ms-RKSJ-H", "Japan1", Buffer.from("93fa967b8cea", "hex")), "日本語"]
]

const uploadFiles = async (url: string, key: string): Promise<void> => {
  const connector = await createConnector(url, key)
  for (const [name, content, q] of UPLOADS) {
    const form = new FormData()
    form.append("file", new File([Uint8Array.from(content)], name))
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${connector}/ingest/typed/upload`, { method: "POST", headers, body: form })
    if (!response.ok) throw new Error(`the upload of ${name}: ${response.status} ${await response.text()}`)
    const { results } = await send<{ results: ReadonlyArray<unknown> }>(`${url}/v1/knowledge/search`, key, { q })
    if (results.length !== 1) throw new Error(`${name} was uploaded and is not found`)
  }
}

/** More text than is indexed in the thread of requests. */
const ingestMuch = async (url: string, key: string): Promise<void> => {
  const texts = Array.from({ length: 40 }, (_, item) => `${`Shelf ${item} is full. `.repeat(250)}Zeppelin${item}.`)
  await send(`${await createConnector(url, key)}/ingest/text`, key, { items: texts.map((text) => ({ text })) })
  const { results } = await send<{ results: ReadonlyArray<unknown> }>(`${url}/v1/knowledge/search`, key, {
    q: "Zeppelin39"
  })
  if (results.length !== 1) throw new Error("what was indexed in a thread is not found")
}

const openConsole = async (url: string): Promise<void> => {
  const address = `${url}/console/`
  const page = await (await fetch(address)).text()
  const [, script = "none.js"] = /<script type="module" crossorigin src="([^"]+)"/.exec(page) ?? []
  const { headers, status } = await fetch(new URL(script, address))
  if (status !== 200 || !headers.get("content-type")?.startsWith("text/javascript")) {
    throw new Error(`the console did not come along: ${page}`)
  }
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "packed", version: "1" } }
}

/** `tributary mcp`, as an assistant starts it. */
const useAsAssistant = async ({ command, folder, node }: Installed, url: string, key: string): Promise<void> => {
  const env = { ...cleanEnvironment(node), TRIBUTARY_KEY: key }
  const child = spawn(command, ["mcp", "--url", url], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(child, "close")
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
    if (output.includes("\"id\":2")) child.stdin.end()
  })
  for (const message of [INITIALIZE, { jsonrpc: "2.0", id: 2, method: "tools/list" }]) {
    child.stdin.write(`${JSON.stringify(message)}\n`)
  }
  const [code] = await ended
  if (code !== 0 || !output.includes("list_sources")) throw new Error(`tributary mcp ended with ${code}: ${output}`)
}

const backUp = async ({ command, folder }: Installed, settings: Settings): Promise<void> => {
  await run(folder, command, ["backup", "copy.db"], settings)
  if (!existsSync(join(folder, "copy.db"))) throw new Error("there is no backup")
}

/** Megabytes that a server may take until it listens. */
const MOST = 250

/** The most that the process took so far; NaN where the system does not report it. */
const mostMegabytes = (pid: number | undefined): number => {
  const status = `/proc/${pid}/status`
  return existsSync(status) ? Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]) / 1_024 : NaN
}

/** Starts in a new folder, and again on the same one. */
const timeStarts = async ({ command, folder }: Installed, settings: Settings): Promise<void> => {
  const starts: Array<string> = []
  for (const _ of ["first", "again"]) {
    await during(start(folder, command, ["serve"], settings), [0], async ({ child, printed }) => {
      if (!printed().includes("npx tributary console")) throw new Error(`the banner names no command: ${printed()}`)
      const megabytes = mostMegabytes(child.pid)
      if (megabytes > MOST) throw new Error(`tributary serve took ${megabytes} MB until it listened`)
      starts.push(`${processorSecondsOf(child.pid!).toFixed(2)} s of processor time with ${megabytes.toFixed(0)} MB`)
    })
  }
  console.log(`   tributary serve listens after ${starts.join(", and started again after ")}`)
}

/**
 * `tributary serve --demo` answers questions about itself, reads files, and serves an assistant and the clients of the
 * guides. Returns the clients' output.
 */
export const useServer = async (
  installed: Installed,
  clients: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const { command, folder, isEmbedded, node } = installed
  const storage = isEmbedded ? { TRIBUTARY_DATA_DIR: "served" } : { TRIBUTARY_STORAGE: "memory" }
  // The command runs under the first Node of the path.
  const { PATH = "" } = cleanEnvironment(node)
  const settings = { PATH, TRIBUTARY_PORT: "0", TRIBUTARY_ADMIN_TOKEN: TOKEN, ...storage }
  const help = await run(folder, command, ["--help"], settings)
  if (!help.includes("serve")) throw new Error(`tributary --help printed ${help}`)
  if (isEmbedded) await timeStarts(installed, { ...settings, TRIBUTARY_DATA_DIR: "started" })
  return during(start(folder, command, ["serve", "--demo"], settings), [0], async ({ printed, url }) => {
    const [key] = /pk_live_\w+/.exec(printed()) ?? [""]
    const question = { query: "How do I rotate an API key without downtime?" }
    const { citations } = await send<{ citations: ReadonlyArray<unknown> }>(`${url}/v1/knowledge/ask`, key, question)
    if (citations.length === 0) {
      throw new Error("the demo's question has no answer: the documentation did not come along")
    }
    await uploadFiles(url, await newKey(url))
    await ingestMuch(url, await newKey(url))
    await openConsole(url)
    await useAsAssistant(installed, url, await newKey(url))
    if (isEmbedded) await backUp(installed, settings)
    const env = { TRIBUTARY_URL: url, TRIBUTARY_KEY: await newKey(url) }
    const outputs: Array<string> = []
    for (const client of clients) outputs.push(await run(folder, node, [client], env))
    return outputs
  })
}
