// Assistants over HTTP, with the official client libraries of both lines, against servers on ports of this machine.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { EVERY_REVISION, overHttp } from "../support/assistant.ts"
import { assistants, rest, until } from "../support/assistants.ts"

type Content = { readonly [name: string]: unknown }

const prepared = Effect.gen(function*() {
  const service = yield* assistants
  const node = yield* service.openNode
  const workspace = yield* service.newWorkspace
  const api = (method: string, path: string, body?: unknown) =>
    Effect.promise(() => rest(node.url, workspace.key, method, path, body))
  const connector = yield* api("POST", "/v1/custom-connectors", { name: "Wiki", source_name: "wiki" })
  yield* api("POST", `/v1/custom-connectors/${connector.body.connector_id}/ingest/text`, {
    items: [
      {
        external_id: "leave",
        title: "Parental leave",
        text: "Parental leave is sixteen weeks. It begins with the birth of the child. 😀",
        url: "https://wiki.test/leave",
        metadata: { team: "people" }
      },
      { external_id: "deploys", text: "Deploys run on weekdays before 16:00. A deploy on Friday needs a reason." }
    ]
  })
  const settled = until(Effect.map(api("GET", "/v1/knowledge/status"), ({ body }) => body.pending_documents === 0))
  return { ...workspace, ...service, settled, node, api, connector: connector.body as Content }
})

describe.each(EVERY_REVISION)("The official client, line %s, in the revision of %s", (line, revision) => {
  it.live("calls every tool, reads resources and gets prompts", () =>
    Effect.gen(function*() {
      const { api, connector, key, node, settled } = yield* prepared
      yield* settled
      const client = yield* Effect.promise(() => overHttp(line, node.url, key, { revision }))
      const call = (name: string, args?: Record<string, unknown>) => Effect.promise(() => client.call(name, args))

      assert.strictEqual(client.revision, revision)
      const tools = yield* Effect.promise(() => client.tools())
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        ["search", "fetch", "ask", "add_documents", "delete_documents", "list_sources"]
      )
      for (const tool of tools) assert.strictEqual(tool.outputSchema?.type, "object", tool.name)
      // Some models' providers refuse a tool whose input names no properties.
      const inputs = tools.map(({ inputSchema }) => inputSchema as { readonly [keyword: string]: unknown })
      assert.deepStrictEqual(inputs.at(-1)!["properties"], {})
      for (const input of inputs) assert.isFalse(input["additionalProperties"])
      // Texts without an external id are stored each time.
      const repeatable = tools.filter(({ annotations }) => annotations?.idempotentHint === true)
      assert.deepStrictEqual(
        repeatable.map(({ name }) => name),
        tools.map(({ name }) => name).filter((name) => name !== "add_documents")
      )

      const found = yield* call("search", { query: "parental leave", sources: ["custom:wiki"], limit: 5 })
      const [first] = found.structuredContent["results"] as ReadonlyArray<Content>
      assert.deepInclude(first, {
        title: "Parental leave",
        url: "https://wiki.test/leave",
        source: "custom:wiki"
      })
      assert.deepStrictEqual(JSON.parse(found.text), found.structuredContent)

      const document = (yield* api("GET", `/v1/documents/${first!["id"]}`)).body
      const fetched = yield* call("fetch", { id: first!["id"] })
      assert.deepStrictEqual(fetched.structuredContent, {
        id: document.document_id,
        title: document.title,
        text: document.text,
        url: document.url,
        metadata: document.metadata,
        source: document.source,
        external_id: document.external_id,
        timestamp: document.timestamp,
        next_cursor: null
      })
      const sameByUri = yield* call("fetch", { id: `tributary://document/${first!["id"]}` })
      assert.deepStrictEqual(sameByUri.structuredContent, fetched.structuredContent)

      const question = { query: "When do deploys run?" }
      const asked = yield* call("ask", question)
      assert.deepStrictEqual(asked.structuredContent, (yield* api("POST", "/v1/knowledge/ask", question)).body)
      assert.strictEqual(asked.structuredContent["answered"], true)

      const added = yield* call("add_documents", {
        connector: "wiki",
        documents: [{ external_id: "lunch", title: "Lunch", text: "Lunch is at noon." }]
      })
      assert.deepInclude(added.structuredContent, { status: "accepted", events: 1, external_ids: ["lunch"] })
      const sources = yield* call("list_sources")
      assert.deepInclude((sources.structuredContent["connectors"] as ReadonlyArray<Content>)[0], {
        connector_id: connector["connector_id"],
        source: "custom:wiki",
        documents: 3,
        documents_exact: true,
        last_change: (yield* api("GET", "/v1/documents?sort=-updated_at")).body.documents[0].updated_at
      })
      // Only with results of the search.
      const lunch = yield* call("search", { query: "lunch", limit: 1 })
      const [{ external_id, source }] = lunch.structuredContent["results"] as readonly [Content]
      const deleted = yield* call("delete_documents", { connector: source, external_ids: [external_id] })
      assert.deepStrictEqual(deleted.structuredContent, { status: "deleted", external_ids: ["lunch"] })

      const templates = yield* Effect.promise(() => client.templates())
      assert.deepStrictEqual(templates.map(({ uriTemplate }) => uriTemplate), ["tributary://document/{id}"])
      const uri = `tributary://document/${document.document_id}`
      const contents = yield* Effect.promise(() => client.read(uri))
      assert.deepStrictEqual(contents, [{ uri, mimeType: "text/plain", text: document.text }])

      const prompts = yield* Effect.promise(() => client.prompts())
      assert.deepStrictEqual(prompts.map(({ name }) => name), ["answer_with_citations"])
      const prompt = yield* Effect.promise(() =>
        client.prompt("answer_with_citations", { question: "How long is leave?" })
      )
      assert.include(JSON.stringify(prompt.messages), "How long is leave?")
      yield* Effect.promise(() => client.close())
    }))
})

describe.each([["v1", "2025-11-25"], ["v2", "2025-11-25"], ["v2", "2026-07-28"]] as const)(
  "The official client, line %s, of %s",
  (line, revision) => {
    it.live("continues after a restart, and on any node", () =>
      Effect.gen(function*() {
        const { key, node, openNode } = yield* prepared
        const other = yield* openNode
        const client = yield* Effect.promise(() => overHttp(line, node.url, key, { afterwards: other.url, revision }))
        yield* node.close
        const result = yield* Effect.promise(() => client.call("search", { query: "deploys" }))
        assert.lengthOf(result.structuredContent["results"] as ReadonlyArray<unknown>, 1)
        yield* Effect.promise(() => client.close())
      }))

    it.live("sees only the documents of its own workspace", () =>
      Effect.gen(function*() {
        const { api, newWorkspace, node } = yield* prepared
        const { body: { results: [{ id }] } } = yield* api("POST", "/v1/knowledge/search", { q: "deploys" })
        const stranger = yield* newWorkspace
        const client = yield* Effect.promise(() => overHttp(line, node.url, stranger.key, { revision }))
        const call = (name: string, args?: Record<string, unknown>) => Effect.promise(() => client.call(name, args))
        assert.deepStrictEqual((yield* call("search", { query: "deploys" })).structuredContent, { results: [] })
        const fetched = yield* call("fetch", { id })
        assert.isTrue(fetched.isError)
        assert.include(fetched.text, "document_not_found")
        const asked = yield* call("ask", { query: "When do deploys run?" })
        assert.deepInclude(asked.structuredContent, { answered: false, citations: [] })
        assert.deepStrictEqual((yield* call("list_sources")).structuredContent, { connectors: [], connections: [] })
        const refused = yield* call("delete_documents", { connector: "wiki", external_ids: ["deploys"] })
        assert.include(refused.text, "client_not_found")
        assert.include(refused.text, "There are none yet.")
        const read = yield* Effect.promise(() =>
          client.read(`tributary://document/${id}`).then(() => "read", (error) => String(error))
        )
        assert.match(read, /not found/i)
        yield* Effect.promise(() => client.close())
      }))

    it.live("with a key that reads, neither lists nor calls tools that write", () =>
      Effect.gen(function*() {
        const { newKey, node } = yield* prepared
        const reader = yield* newKey(["knowledge:read"])
        const client = yield* Effect.promise(() => overHttp(line, node.url, reader.secret, { revision }))
        const tools = yield* Effect.promise(() => client.tools())
        assert.deepStrictEqual(tools.map(({ name }) => name), ["search", "ask"])
        for (
          const [name, args, scope] of [
            ["add_documents", { connector: "wiki", documents: [{ text: "x" }] }, "custom_connectors:ingest"],
            ["delete_documents", { connector: "wiki", external_ids: ["x"] }, "custom_connectors:ingest"],
            ["fetch", { id: "x" }, "custom_connectors:read"],
            ["list_sources", {}, "custom_connectors:read"]
          ] as const
        ) {
          const result = yield* Effect.promise(() => client.call(name, args))
          assert.isTrue(result.isError)
          assert.deepInclude(JSON.parse(result.text), {
            error_code: "insufficient_scopes",
            details: { missing_scopes: [scope] }
          })
        }
        yield* Effect.promise(() => client.close())
      }))

    it.live("with a key that only ingests, has to name a connector by its id", () =>
      Effect.gen(function*() {
        const { connector, newKey, node } = yield* prepared
        const writer = yield* newKey(["custom_connectors:ingest"])
        const client = yield* Effect.promise(() => overHttp(line, node.url, writer.secret, { revision }))
        const add = (named: unknown) =>
          Effect.promise(() => client.call("add_documents", { connector: named, documents: [{ text: "x" }] }))
        assert.notStrictEqual((yield* add(connector["connector_id"])).isError, true)
        const refused = yield* add("wiki")
        assert.deepInclude(JSON.parse(refused.text), {
          error_code: "insufficient_scopes",
          details: { missing_scopes: ["custom_connectors:read"] }
        })
        assert.include(refused.text, "Name the connector by its connector_id.")
        yield* Effect.promise(() => client.close())
      }))

    it.live("deletes documents of a deactivated connector, which takes no new ones", () =>
      Effect.gen(function*() {
        const { api, connector, key, node } = yield* prepared
        yield* api("DELETE", `/v1/custom-connectors/${String(connector["connector_id"])}`)
        const client = yield* Effect.promise(() => overHttp(line, node.url, key, { revision }))
        const added = yield* Effect.promise(() =>
          client.call("add_documents", { connector: "wiki", documents: [{ text: "x" }] })
        )
        assert.include(added.text, "bad_request")
        const deleted = yield* Effect.promise(() =>
          client.call("delete_documents", { connector: "wiki", external_ids: ["leave"] })
        )
        assert.deepInclude(deleted.structuredContent, { external_ids: ["leave"] })
        yield* Effect.promise(() => client.close())
      }))

    it.live("gets progress on request, and the same answer", () =>
      Effect.gen(function*() {
        const { api, key, node, settled } = yield* prepared
        yield* settled
        const client = yield* Effect.promise(() => overHttp(line, node.url, key, { revision }))
        const progress: Array<{ readonly progress: number; readonly message?: string | undefined }> = []
        const question = { query: "When do deploys run?" }
        const result = yield* Effect.promise(() =>
          client.call("ask", question, { onprogress: (event) => void progress.push(event) })
        )
        assert.deepStrictEqual(result.structuredContent, (yield* api("POST", "/v1/knowledge/ask", question)).body)
        assert.deepStrictEqual(
          progress.map(({ message, progress }) => [progress, message]),
          [[1, "Looking for evidence"], [2, "Found source 1"], [3, "Writing the answer"]]
        )
        yield* Effect.promise(() => client.close())
      }))

    it.live("ends its running work when it cancels, and when it disconnects", () =>
      Effect.gen(function*() {
        const { begun, interrupted, key, node } = yield* prepared
        const client = yield* Effect.promise(() => overHttp(line, node.url, key, { revision }))
        const abort = new AbortController()
        const call = client.call("ask", { query: "slow question" }, { signal: abort.signal }).catch(() => "ended")
        yield* until(Effect.map(Ref.get(begun), (count) => count === 1))
        assert.strictEqual(yield* Ref.get(interrupted), 0)
        abort.abort()
        yield* until(Effect.map(Ref.get(interrupted), (count) => count === 1))
        assert.strictEqual(yield* Effect.promise(() => call), "ended")

        const second = client.call("ask", { query: "slow again" }).catch(() => "ended")
        yield* until(Effect.map(Ref.get(begun), (count) => count === 2))
        yield* Effect.promise(() => client.close())
        yield* until(Effect.map(Ref.get(interrupted), (count) => count === 2))
        assert.strictEqual(yield* Effect.promise(() => second), "ended")
      }))

    it.live("gets the errors of the public API", () =>
      Effect.gen(function*() {
        const { newWorkspace, node } = yield* prepared
        const { key } = yield* newWorkspace
        const api = (path: string, body: unknown) => Effect.promise(() => rest(node.url, key, "POST", path, body))
        const client = yield* Effect.promise(() => overHttp(line, node.url, key, { revision }))
        const errorOf = (name: string, args: Record<string, unknown>) =>
          Effect.promise(async () => {
            const { isError, text } = await client.call(name, args)
            assert.isTrue(isError)
            return JSON.parse(text)
          })
        const wrong = [{ limit: 0 }, { limit: "5", colour: "red" }, { sources: Array(21).fill("wiki"), from: "x" }]
        for (const filters of [...wrong, { metadata: { "": "x" } }]) {
          const refused = yield* api("/v1/knowledge/search", { q: "x", ...filters })
          assert.strictEqual(refused.status, 422)
          assert.deepStrictEqual(yield* errorOf("search", { query: "x", ...filters }), refused.body)
        }
        assert.deepStrictEqual(
          yield* errorOf("ask", { colour: "red" }),
          (yield* api("/v1/knowledge/ask", { colour: "red" })).body
        )
        const unknown = { type: "extra_forbidden", msg: "Extra inputs are not permitted" }
        assert.deepStrictEqual((yield* errorOf("list_sources", { limit: 5, source: "wiki" })).detail, [
          { ...unknown, loc: ["body", "limit"], input: 5 },
          { ...unknown, loc: ["body", "source"], input: "wiki" }
        ])
        // All problems of many values would take too long to find.
        const documents = Array.from({ length: 501 }, () => ({ text: 5 }))
        assert.deepStrictEqual((yield* errorOf("add_documents", { connector: "wiki", documents })).detail, [{
          type: "string_type",
          loc: ["body", "documents", 0, "text"],
          msg: "Input should be a valid string",
          input: 5
        }])
        assert.strictEqual((yield* errorOf("fetch", { id: "x" })).error_code, "document_not_found")
        const missing = { type: "missing", loc: ["body", "id"], msg: "Field required", input: {} }
        assert.deepStrictEqual((yield* errorOf("fetch", {})).detail, [missing])
        const wrongId = { type: "string_type", loc: ["body", "id"], msg: "Input should be a valid string", input: 5 }
        assert.deepStrictEqual((yield* errorOf("fetch", { id: 5 })).detail, [wrongId])
        assert.strictEqual(
          (yield* errorOf("add_documents", { connector: crypto.randomUUID(), documents: [{ text: "x" }] })).error_code,
          "client_not_found"
        )
        yield* Effect.promise(() => client.close())
      }))
  }
)
