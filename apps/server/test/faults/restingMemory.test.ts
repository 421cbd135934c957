/** A server returns the memory that large bodies took, a while after the last request. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { temporaryFolder, tied } from "../../../../packages/sources/test/support/programs.ts"
import { api, main } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"
import { ADMIN_TOKEN, eventually } from "./support/nodes.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a server may keep beside what it has after a start and a search, in megabytes: mostly free pieces between used ones. */
const KEPT = 100

const AT_ONCE = 4

/** As `npm start` sets it, and a line on standard output for each collection. */
const FLAGS = ["--trace-gc"]

/** Without a channel to this process, so that it sets its allocator. */
const start = async () => {
  const child = spawn(...tied("KILL", process.execPath, [...FLAGS, main, "serve"]), {
    env: {
      PATH: process.env["PATH"],
      TRIBUTARY_PORT: "0",
      TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN,
      TRIBUTARY_DATA_DIR: join(folder, "data")
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const output = { text: "" }
  const { promise: printed, resolve } = Promise.withResolvers<void>()
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.text += text
    if (/listens on/.test(output.text)) resolve()
  })
  const ended = once(child, "close")
  await Promise.race([printed, ended])
  const url = /listens on (\S+)/.exec(output.text)![1]!
  /** Threads that collected garbage because they are idle, from now on. */
  const idleCollections = () => {
    const from = output.text.length
    return () =>
      new Set([...output.text.slice(from).matchAll(/^\[\d+:(0x\w+)\].* testing/gm)].map(([, thread]) => thread)).size
  }
  const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1_024
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { url, idleCollections, resident, stop }
}

/** The key of a new workspace that takes large documents. */
const newKey = async (url: string): Promise<string> => {
  const operator = { key: ADMIN_TOKEN, url }
  const { personal_workspace: { workspace_id } } = await api<
    { readonly personal_workspace: { readonly workspace_id: string } }
  >(operator, "POST", "/admin/v1/accounts", { name: "Ada", tier: "pro" })
  const { secret } = await api<{ readonly secret: string }>(
    operator,
    "POST",
    `/admin/v1/workspaces/${workspace_id}/api-keys`,
    { name: "Key", scopes: ["api:read", "api:write"] }
  )
  return secret
}

const search = (server: { readonly key: string; readonly url: string }) =>
  api(server, "POST", "/v1/knowledge/search", { q: "when do deploys run" })

describe.skipIf(process.platform !== "linux")("a server that got the largest bodies", { timeout: TIMEOUT }, () => {
  it("needs little more memory at rest than after a start", async () => {
    const server = await start()
    const key = await newKey(server.url)
    const attacked = { url: server.url, key }
    const { connector_id } = await api<{ readonly connector_id: string }>(attacked, "POST", "/v1/custom-connectors", {
      name: "Large",
      source_name: "large"
    })
    const body = { items: [{ data: "Deploys run on weekdays, at nine. ".repeat(940_000) }] }
    const send = () => api(attacked, "POST", `/v1/custom-connectors/${connector_id}/ingest`, body)
    // Some are refused while too much waits to be indexed.
    await Promise.allSettled(Array.from({ length: AT_ONCE }, send))
    await eventually("everything is indexed", async () => {
      const status = await api<{ readonly pending_documents: number }>(attacked, "GET", "/v1/knowledge/status")
      return status.pending_documents === 0
    })
    await search(attacked)
    const collected = server.idleCollections()
    // The thread that answers requests, and the one that writes.
    await eventually("two threads have collected garbage", () => Promise.resolve(collected() === 2))
    const rested = server.resident()
    await server.stop()
    const restarted = await start()
    await search({ url: restarted.url, key })
    const needed = restarted.resident()
    await restarted.stop()
    process.stdout.write(`at rest ${rested.toFixed(0)} MB, started again ${needed.toFixed(0)} MB\n`)
    assert.isBelow(rested, needed + KEPT)
  })
})
