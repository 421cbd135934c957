// Who calls the API that a host mounts: keys that it makes, and its own users.
import { type Client, createClient } from "@tributary/client"
import { assert, describe, it } from "vitest"
import { type HostCaller, open } from "../src/open.ts"
import { failureOf } from "./support/failureOf.ts"

/** A workspace of two documents, and Ada, who may read and write and sees what the filter shows. */
const seenBy = async (filter?: HostCaller["filter"]) => {
  const kb = await open({ storage: "memory", logger: false })
  const workspace = await kb.createWorkspace({ name: "Handbook" })
  const { connector_id } = await workspace.connectors.create({ name: "Wiki", source_name: "wiki" })
  await workspace.ingest.text(connector_id, [
    { external_id: "ours", text: "The kettle is kept in locker 7.", metadata: { "reader:ada": "1" } },
    { external_id: "theirs", text: "The kettle is kept in locker 8." }
  ])
  const scopes = ["api:read", "api:write"] as const
  const callers = () =>
    Promise.resolve({ user: "ada", workspace: workspace.id, scopes, ...(filter === undefined ? {} : { filter }) })
  const handler = await kb.handler({ baseUrl: "https://example.org", callers })
  const ada = createClient({
    baseUrl: "https://example.org",
    apiKey: "session-of-ada",
    fetch: (input, init) => handler(new Request(input, init)),
    retries: { attempts: 1 }
  })
  return { ada, connector_id, [Symbol.asyncDispose]: () => kb.close() }
}

const found = async ({ knowledge }: Client) =>
  (await knowledge.search({ q: "kettle" })).results.map(({ external_id }) => external_id)

describe("A host", () => {
  it("creates and revokes keys for the API that it mounts, without an operator's token", async () => {
    await using kb = await open({ storage: "memory" })
    const { id } = await kb.createWorkspace({ name: "Handbook" })
    const { key_id, secret } = await kb.operator.keys.create(id, { name: "CI", scopes: ["knowledge:read"] })
    const handler = await kb.handler({ baseUrl: "https://example.org" })
    const refused = await failureOf(kb.workspace(id).tokens.create({ expires_in: 60 }))
    assert.match(refused.message, /API key: send one/)
    const client = createClient({
      baseUrl: "https://example.org",
      apiKey: secret,
      fetch: (input, init) => handler(new Request(input, init))
    })
    assert.strictEqual((await client.usage()).workspace_id, id)
    assert.match((await client.tokens.create({ expires_in: 60 })).token, /^tk_live_/)
    await kb.operator.keys.revoke(key_id)
    assert.strictEqual((await failureOf(client.usage())).code, "authentication_error")
    const log = await kb.operator.auditLog().toArray()
    assert.includeMembers(log.map(({ action }) => action), ["createApiKey", "revokeApiKey"])
  })
})

describe("A user of the host with a filter", () => {
  it("finds, reads and is cited only what it shows", async () => {
    await using whole = await seenBy()
    assert.sameMembers(await found(whole.ada), ["ours", "theirs"])
    await using part = await seenBy({ metadata: { "reader:ada": "1" } })
    assert.deepStrictEqual(await found(part.ada), ["ours"])
    const listed = await part.ada.documents.list(part.connector_id).toArray()
    assert.deepStrictEqual(listed.map(({ external_id }) => external_id), ["ours"])
    const { citations } = await part.ada.knowledge.ask({ query: "Where is the kettle kept?" })
    assert.deepStrictEqual(citations.map(({ entity }) => entity.external_id), ["ours"])
    const hidden = await failureOf(part.ada.documents.getByExternalId(part.connector_id, "theirs"))
    assert.strictEqual(hidden.code, "document_not_found")
  })

  it("changes nothing and sees nothing of the whole workspace, whatever the scopes are", async () => {
    await using part = await seenBy({ sources: ["custom:wiki"] })
    const pushed = await failureOf(part.ada.ingest.text(part.connector_id, [{ text: "The kettle is green." }]))
    assert.strictEqual(pushed.code, "insufficient_scopes")
    const whole = await failureOf(part.ada.knowledge.settings())
    assert.strictEqual(whole.code, "permission_denied")
    assert.match(whole.message, /^These credentials see a part of the workspace/)
  })

  it("sees nothing with a condition that does not exist", async () => {
    await using part = await seenBy({ source: ["custom:wiki"] } as never)
    assert.strictEqual((await failureOf(part.ada.knowledge.search({ q: "kettle" }))).code, "internal_server_error")
  })
})
