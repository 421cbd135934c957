/** Folders that are bound to workspaces: when connections are created, when they change, and at every sync. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { type Environment, type RunningServer, startServer } from "./serverProcess.ts"

const base = realpathSync(mkdtempSync(join(tmpdir(), "tributary-roots-")))
afterAll(() => rmSync(base, { recursive: true, force: true }))

for (const name of ["open", "bound"]) {
  mkdirSync(join(base, name))
  writeFileSync(join(base, name, "note.md"), `A note in the folder ${name}.`)
}
const [open, bound] = [join(base, "open"), join(base, "bound")]

const ADMIN_TOKEN = "0123456789abcdef01234567"
const storage: Environment = {
  TRIBUTARY_STORAGE: "embedded",
  TRIBUTARY_DATA_DIR: join(base, "data"),
  TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN
}

const send = async (server: RunningServer, method: string, path: string, body?: object, key = server.key) => {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: answer.status, body: await answer.json() as Readonly<Record<string, string>> }
}

const connection = (path: string) => ({ provider: "files", name: "Folder", config: { path } })

interface State {
  readonly status: string
  readonly error: string | null
}

/** Waits until the state of a connection's only resource is one of these. */
const stateOf = async (server: RunningServer, id: string, ...wanted: ReadonlyArray<string>): Promise<State> => {
  for (;;) {
    const { body } = await send(server, "GET", `/v1/connections/${id}/sync`)
    const [state] = body as unknown as ReadonlyArray<State>
    if (state !== undefined && wanted.includes(state.status)) return state
  }
}

it("can be connected only by those workspaces, and are not synced any more when bound to others", async () => {
  const first = await startServer([], storage)
  const workspaces = await send(first, "GET", "/admin/v1/workspaces", undefined, ADMIN_TOKEN)
  const [mine] = workspaces.body["workspaces"] as unknown as ReadonlyArray<{ workspace_id: string; account_id: string }>
  const shared = { account_id: mine!.account_id, name: "Other" }
  const other = await send(first, "POST", "/admin/v1/workspaces", shared, ADMIN_TOKEN)
  const issued = await send(first, "POST", `/admin/v1/workspaces/${other.body["workspace_id"]}/api-keys`, {
    name: "Key",
    scopes: ["api:read", "api:write"]
  }, ADMIN_TOKEN)
  const { key } = first
  await first.stop()

  const roots = (id: string) => ({ ...storage, TRIBUTARY_FILE_ROOTS: `${open}:${bound}=${id}` })
  const second = await startServer([], roots(mine!.workspace_id.toUpperCase()), key)
  const refused = await send(second, "POST", "/v1/connections", connection(bound), issued.body["secret"])
  const isOutside = `${bound} is not within the folders that connections may read. ` +
    "The operator of the server lists these in TRIBUTARY_FILE_ROOTS."
  assert.deepStrictEqual([refused.status, refused.body["message"]], [400, isOutside])
  const taken = await send(second, "POST", "/v1/connections", connection(open), issued.body["secret"])
  assert.strictEqual(taken.status, 201)
  const path = `/v1/connections/${taken.body["connection_id"]}`
  const moved = await send(second, "PATCH", path, { config: { path: bound } }, issued.body["secret"])
  assert.strictEqual(moved.status, 400)
  const made = await send(second, "POST", "/v1/connections", connection(bound))
  assert.strictEqual(made.status, 201)
  const id = made.body["connection_id"]!
  assert.strictEqual((await stateOf(second, id, "completed", "failed")).status, "completed")
  await second.stop()

  const third = await startServer([], roots(other.body["workspace_id"]!), key)
  assert.strictEqual((await send(third, "POST", `/v1/connections/${id}/sync`)).status, 200)
  const state = await stateOf(third, id, "failed")
  assert.strictEqual(state.error, isOutside)
  await third.stop()
})
