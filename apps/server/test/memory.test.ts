/** A server releases the memory of bodies, whatever one client sends. */
import { assert, it } from "vitest"
import { once } from "node:events"
import { largestOf, worstOf } from "../../../packages/http/test/support/bodies.ts"
import { PUBLIC } from "../../../packages/http/test/support/operations.ts"
import { api, type RunningServer, startServer } from "./serverProcess.ts"

const MEGABYTE = 1_048_576

/** The bodies have more than 80 MB together, the largest 32. */
const MAX_KEPT = 12 * MEGABYTE

/** The size of refused bodies, so small that the server does not limit the client. */
const WORST = MEGABYTE / 2

const ADMIN_TOKEN = "operator-token-of-this-test"

const SIGN_IN = "/console/api/sign-in"

const inUse = async ({ child }: RunningServer): Promise<number> => {
  const reply = once(child, "message")
  child.send("memory")
  const [bytes] = await reply as [number]
  return bytes
}

/** A workspace whose plan takes no large documents: they are read and validated, and then not stored. */
const newPlace = async (url: string) => {
  const operator = { key: ADMIN_TOKEN, url }
  const account = await api<{ readonly personal_workspace: { readonly workspace_id: string } }>(
    operator,
    "POST",
    "/admin/v1/accounts",
    { name: "Ada", tier: "free" }
  )
  const keys = `/admin/v1/workspaces/${account.personal_workspace.workspace_id}/api-keys`
  const named = { name: "Key", scopes: ["api:read", "api:write"] }
  const { secret: key } = await api<{ readonly secret: string }>(operator, "POST", keys, named)
  const source = { name: "Notes", source_name: "notes" }
  const { connector_id } = await api<{ readonly connector_id: string }>(
    { key, url },
    "POST",
    "/v1/custom-connectors",
    source
  )
  return { key, connector_id }
}

it("gives back what the largest and the worst bodies of sign-in, search and ingest take", async () => {
  const server = await startServer([], {
    TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN,
    NODE_OPTIONS: `--import ${new URL("memoryInUse.ts", import.meta.url).href}`
  })
  const { connector_id, key } = await newPlace(server.url)
  const send = async (path: string, body: string): Promise<number> => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-tributary-console": "1",
      "sec-fetch-site": "same-origin"
    }
    const answer = await fetch(server.url + path, { method: "POST", headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  const operations = ["search", "ingestTyped", "ingestJson", "ingestText"].map((name) => {
    const operation = PUBLIC.find((one) => one.name === name)!
    return { ...operation, path: operation.path.replace(":connector_id", connector_id) }
  })

  const before = await inUse(server)
  for (const body of [...Object.values(worstOf(4_096)), ...Object.values(worstOf(WORST))]) {
    assert.include([413, 422], await send(SIGN_IN, body))
  }
  for (const { bodyLimit, path } of operations) {
    for (const body of Object.values(worstOf(Math.min(bodyLimit, WORST)))) {
      assert.include([413, 422], await send(path, body))
    }
  }
  for (const operation of operations) assert.include([200, 402], await send(operation.path, largestOf(operation)[0]!))
  assert.isBelow(await inUse(server) - before, MAX_KEPT)
  await server.stop()
})
