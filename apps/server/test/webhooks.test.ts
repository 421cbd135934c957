/** A real server, the receiver of docs/webhooks.md, and one event from ingest to verification. */
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { eventually } from "./faults/support/nodes.ts"
import { api, startServer } from "./serverProcess.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const EXAMPLE = join(root, "docs/examples/webhook-receiver.ts")

const SECRET = `whsec_${btoa("a secret of 32 characters, chosen")}`

/** The example on a free port, and what it prints. */
const startExample = async () => {
  const child = spawn(process.execPath, [EXAMPLE], { env: { ...process.env, PORT: "0", WEBHOOK_SECRET: SECRET } })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => output += text)
  const url = await eventually("the receiver listens", async () => /^http:\S+/.exec(output)?.[0])
  return { url: url.replace("localhost", "127.0.0.1"), output: () => output, stop: () => child.kill() }
}

interface Delivery {
  readonly event_id: string
  readonly event_type: string
  readonly status: string
  readonly attempts: number
  readonly last_attempt: { readonly status: number | null } | null
}

describe("docs/webhooks.md", () => {
  it("has an example receiver, which verifies events and ignores duplicates", async () => {
    const page = await readFile(join(root, "docs/webhooks.md"), "utf8")
    assert.include(page, `\`\`\`ts\n${await readFile(EXAMPLE, "utf8")}\`\`\``)
    const receiver = await startExample()
    const server = await startServer([], {
      TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "127.0.0.1",
      TRIBUTARY_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString("base64")
    })
    try {
      const { webhook_id } = await api<{ webhook_id: string }>(server, "POST", "/v1/webhooks", {
        url: receiver.url,
        event_types: ["document.created"],
        secret: SECRET
      })
      const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
        name: "Notes",
        source_name: "notes"
      })
      await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, {
        items: [{ external_id: "note-1", text: "The archive moves." }]
      })
      await eventually("it is received", async () => receiver.output().includes("document.created note-1\n"))
      const [delivery] = await eventually("the delivery is over", async () => {
        const path = `/v1/webhooks/${webhook_id}/deliveries`
        const { deliveries } = await api<{ deliveries: ReadonlyArray<Delivery> }>(server, "GET", path)
        return deliveries[0]?.status === "succeeded" && deliveries
      })
      assert.deepInclude(delivery, { event_type: "document.created", attempts: 1 })
      assert.strictEqual(delivery!.last_attempt?.status, 204)
      const path = `/v1/webhooks/${webhook_id}/deliveries/${delivery!.event_id}`
      await api(server, "POST", `${path}/send`)
      await eventually("it is sent again", async () => {
        const again = await api<Delivery>(server, "GET", path)
        return again.status === "succeeded" && again.attempts === 2
      })
      assert.strictEqual(receiver.output().split("document.created").length, 2)
    } finally {
      receiver.stop()
      await server.stop()
    }
  })
})
