// A service on a backend that keeps no people: everything works but signing in, which is not there.
import * as Memory from "@tributary/memory/Memory"
import { assert, describe, it } from "vitest"
import * as WithoutPeople from "../../../docs/examples/backend/withoutPeople.ts"
import { openWith } from "../src/open.ts"

const ADMIN = "operator-token-of-the-tests"
const options = { baseUrl: "http://localhost", adminToken: ADMIN }

const asOperator = (path: string, body: unknown) =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

describe("A backend without people", () => {
  it("ingests documents, answers questions, and counts usage", async () => {
    await using kb = await openWith(WithoutPeople.layer)
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
    await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
    assert.include((await workspace.ask({ query: "Where is the spare key?" })).response, "locker 7")
    assert.strictEqual((await workspace.usage()).entitlements.documents.used, 1)
    await kb.deleteWorkspace(workspace.id)
  })

  it("accepts keys over HTTP, and has no sign-in routes", async () => {
    await using kb = await openWith(WithoutPeople.layer)
    const { id } = await kb.createWorkspace({ name: "Handbook" })
    const handle = await kb.handler(options)

    const made = await handle(asOperator(`/admin/v1/workspaces/${id}/api-keys`, { name: "CI", scopes: ["api:read"] }))
    const { secret } = await made.json() as { readonly secret: string }
    const listed = await handle(
      new Request("http://localhost/v1/workspaces", { headers: { authorization: `Bearer ${secret}` } })
    )
    assert.strictEqual(listed.status, 200)

    // A cookie is no credential here, as where people are kept and nobody is signed in.
    const cookie = new Request("http://localhost/v1/workspaces", { headers: { cookie: "tributary_session=none" } })
    assert.strictEqual((await handle(cookie)).status, 401)

    for (const path of ["/console/api/me", "/console/api/sign-in", "/console/api/provider"]) {
      assert.strictEqual((await handle(new Request(`http://localhost${path}`))).status, 404, path)
    }
    const link = await handle(asOperator("/admin/v1/sign-in-links", {}))
    assert.strictEqual(link.status, 404)
    assert.deepInclude(await link.json(), { message: "Nobody signs in here: no people are kept." })
  })

  it("differs only in this from one with people", async () => {
    await using kb = await openWith(Memory.layer)
    const handle = await kb.handler(options)
    assert.strictEqual((await handle(new Request("http://localhost/console/api/me"))).status, 401)
  })
})
