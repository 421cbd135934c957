/** The HTTP API in a host whose own users call it, each as who they are; and an orderly stop. */
import { open } from "@tributary/tributary"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const kb = await open({ storage: "memory" })
const { id } = await kb.createWorkspace({ name: "Handbook" })

// Who has signed in at the host, and may read and write in which workspace.
const signedIn = new Map([["session-of-ada", { user: "ada", workspace: id, scopes: ["api:read", "api:write"] as const }]])

const handle = await kb.nodeHandler({
  baseUrl: "https://example.com",
  callers: (credential) =>
    credential.startsWith("session-") ? Promise.resolve(signedIn.get(credential) ?? null) : undefined
})
const server = createServer(handle)
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

const stop = async () => {
  const closed = new Promise((resolve) => server.close(resolve))
  // Event streams end, requests that are under way finish, and jobs go back to the queue.
  await kb.close()
  server.closeAllConnections()
  await closed
}
process.once("SIGTERM", () => void stop())

const { port } = server.address() as AddressInfo
const create = async (credential: string) => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/custom-connectors`, {
    method: "POST",
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Wiki", source_name: "wiki" })
  })
  const { created_by } = await response.json() as { readonly created_by?: unknown }
  return `${response.status} ${JSON.stringify(created_by ?? null)}\n`
}
process.stdout.write(await create("session-of-ada"))
process.stdout.write(await create("session-of-nobody"))
await stop()
