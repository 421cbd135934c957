// Connections over HTTP: decisions.md §3 and §5, validation.md for what is wrong with a configuration.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { until } from "../../../core/test/support/connecting.ts"
import { MAIL_PASSWORD } from "../support/mailProvider.ts"
import { type Answer, code, field, wire } from "../support/wire.ts"

const CONFIG = { host: "mail.example", username: "ada", password: MAIL_PASSWORD }
const MAIL = { provider: "imap", name: "Post", config: CONFIG }

const problems = (answer: Answer) => {
  assert.strictEqual(answer.status, 422, answer.text)
  return field<ReadonlyArray<{ readonly loc: ReadonlyArray<string>; readonly type: string }>>(answer, "detail")
    .map(({ loc, type }) => [loc.join("."), type])
}

const connected = Effect.gen(function*() {
  yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00Z"))
  const service = yield* wire({ held: false })
  const created = yield* service.send("POST", "/v1/connections", { body: MAIL })
  assert.strictEqual(created.status, 201, created.text)
  const id = field<string>(created, "connection_id")
  const path = `/v1/connections/${id}`
  const synced = until(Effect.map(
    service.send("GET", `${path}/sync`),
    ({ body }) => (body as ReadonlyArray<{ readonly status: string }>).every(({ status }) => status === "completed")
  ))
  const used = Effect.map(
    service.send("GET", "/v1/usage/current"),
    (answer) => field<{ documents: { used: number } }>(answer, "entitlements").documents.used
  )
  return { ...service, created, id, path, synced, used }
})

describe("A connection", () => {
  it.effect("that was deleted can be deleted again with the documents that it left, and nobody else's", () =>
    Effect.gen(function*() {
      const { path, send, synced, used } = yield* connected
      yield* synced
      const connector = field<string>(
        yield* send("POST", "/v1/custom-connectors", { body: { name: "A", source_name: "a" } }),
        "connector_id"
      )
      yield* send("POST", `/v1/custom-connectors/${connector}/ingest`, { body: { items: [{ data: "x" }] } })
      assert.strictEqual((yield* send("DELETE", path)).status, 200)
      assert.strictEqual((yield* send("DELETE", path)).status, 404)
      assert.strictEqual(yield* used, 3)
      assert.strictEqual((yield* send("DELETE", `/v1/connections/${connector}?delete_documents=true`)).status, 404)
      assert.strictEqual((yield* send("DELETE", `${path}?delete_documents=true`)).status, 200)
      yield* until(Effect.map(used, (documents) => documents === 1))
      assert.strictEqual((yield* send("DELETE", `${path}?delete_documents=true`)).status, 404)
    }))

  it.effect("is created, shown without its secrets, pulled, paused and deleted", () =>
    Effect.gen(function*() {
      const { created, id, path, send, synced, used } = yield* connected
      const shown = {
        connection_id: id,
        provider: "imap",
        name: "Post",
        config: { host: "mail.example", username: "ada" },
        sync_config: { start: { type: "relative", days: 365 }, interval_minutes: 15 },
        resources: ["INBOX", "Sent/Old & new"],
        connected_at: "2026-05-05T10:00:00.000Z",
        status: "active",
        error: null
      }
      assert.deepInclude(created.body as object, shown)
      yield* synced
      const states = yield* send("GET", `${path}/sync`)
      assert.deepStrictEqual(
        (states.body as ReadonlyArray<{ resource: string; status: string; items_ingested: number }>).map(
          ({ items_ingested, resource, status }) => [resource, status, items_ingested]
        ),
        [["INBOX", "completed", 1], ["Sent/Old & new", "completed", 1]]
      )
      assert.notProperty((states.body as ReadonlyArray<object>)[0], "cursor")
      for (const source of ["imap", `imap:${id}`, "email"]) {
        const found = yield* send("POST", "/v1/knowledge/search", { body: { q: "archive", sources: [source] } })
        assert.strictEqual(field(found, "count"), 2, source)
      }
      const resource = `${path}/sync/${encodeURIComponent("Sent/Old & new")}`
      assert.strictEqual((yield* send("POST", `${resource}/confirm`)).status, 200)
      assert.strictEqual((yield* send("DELETE", resource)).status, 200)
      const paused = yield* send("PATCH", path, { body: { status: "paused" } })
      assert.strictEqual(field(paused, "status"), "paused")
      assert.strictEqual((yield* send("POST", `${path}/sync`)).status, 400)
      const deleted = yield* send("DELETE", `${path}?delete_documents=true`)
      assert.deepStrictEqual(deleted.body, { status: "deleted", connection_id: id })
      yield* until(Effect.map(used, (documents) => documents === 0))
      assert.strictEqual(yield* used, 0)
      for (const [method, at] of [["GET", path], ["PATCH", path], ["DELETE", path], ["GET", `${path}/sync`]] as const) {
        const answer = yield* send(method, at, method === "PATCH" ? { body: {} } : {})
        assert.deepStrictEqual([answer.status, code(answer)], [404, "connection_not_found"])
      }
    }))

  it.effect("is no custom connector", () =>
    Effect.gen(function*() {
      const { id, send } = yield* connected
      assert.deepStrictEqual((yield* send("GET", "/v1/custom-connectors?include_inactive=true")).body, [])
      const at = `/v1/custom-connectors/${id}`
      for (const path of [at, `${at}/documents`]) {
        assert.strictEqual((yield* send("GET", path)).status, 404)
      }
      const pushed = yield* send("POST", `${at}/ingest/text`, { body: { items: [{ text: "x" }] } })
      assert.strictEqual(pushed.status, 404)
    }))

  it.effect("has documents that its id selects as a connection and not as a connector, and conversely", () =>
    Effect.gen(function*() {
      const { id, path, send, synced } = yield* connected
      yield* synced
      const made = yield* send("POST", "/v1/custom-connectors", { body: { name: "Notes", source_name: "notes" } })
      const notes = field<string>(made, "connector_id")
      const body = { items: [{ external_id: "a", text: "pushed" }] }
      yield* send("POST", `/v1/custom-connectors/${notes}/ingest/text`, { body })
      const total = (query: string) =>
        Effect.map(send("GET", `/v1/documents?${query}`), (answer) => field<number>(answer, "total"))
      const totals = [`connection_id=${id}`, `connector_id=${id}`, `connector_id=${notes}`, `connection_id=${notes}`]
      const both = `connector_id=${notes}&connection_id=${notes}`
      assert.deepStrictEqual(yield* Effect.forEach([...totals, both], total), [2, 0, 1, 0, 0])
      const remove = (filter: object, confirm_total: number) =>
        send("POST", "/v1/documents/delete", { body: { filter, confirm_total } })
      assert.strictEqual((yield* remove({ connection_id: notes }, 1)).status, 409)
      assert.strictEqual((yield* remove({ connector_id: id }, 2)).status, 409)
      yield* send("DELETE", path)
      assert.strictEqual(yield* total(`connection_id=${id}`), 2)
      assert.strictEqual(field(yield* remove({ connection_id: id.toUpperCase() }, 2), "deleted"), 2)
    }))

  it.effect("has documents that only the scopes of connections read and delete", () =>
    Effect.gen(function*() {
      const { newKey, send, synced } = yield* connected
      yield* synced
      const found = yield* send("POST", "/v1/knowledge/search", { body: { q: "archive", sources: ["imap"] } })
      const [{ id }] = field<[{ readonly id: string }]>(found, "results")
      const pushing = yield* newKey(["custom_connectors:read", "custom_connectors:ingest"])
      const pulling = yield* newKey(["connections:read", "connections:write"])
      const path = `/v1/documents/${id}`
      for (const method of ["GET", "DELETE"]) {
        assert.strictEqual((yield* send(method, path, { key: pushing.secret })).status, 403, method)
      }
      const body = { document_ids: [id] }
      const refused = yield* send("POST", "/v1/documents/delete", { key: pushing.secret, body })
      assert.deepStrictEqual(field(refused, "details"), { missing_scopes: ["connections:write"] })
      for (const method of ["GET", "DELETE"]) {
        assert.strictEqual((yield* send(method, path, { key: pulling.secret })).status, 200, method)
      }
    }))

  it.effect("is listed to a token whose filter shows it, without its configuration", () =>
    Effect.gen(function*() {
      const { id, path, send, synced } = yield* connected
      yield* synced
      const tokenFor = (filter: object) =>
        Effect.map(
          send("POST", "/v1/tokens", { body: { expires_in: 60, filter } }),
          (made) => field<string>(made, "token")
        )
      for (const sources of [["imap"], [`imap:${id}`, "custom:wiki"]]) {
        const key = yield* tokenFor({ sources })
        const listed = yield* send("GET", "/v1/connections", { key })
        assert.deepInclude((listed.body as ReadonlyArray<object>)[0], {
          connection_id: id,
          name: "Post",
          config: {},
          resources: []
        })
        const sourced = yield* send("POST", "/mcp", {
          key,
          body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sources", arguments: {} } },
          headers: { accept: "application/json, text/event-stream" }
        })
        const { connections } = JSON.parse(/^data: (.*)$/m.exec(sourced.text)![1]!).result.structuredContent
        assert.deepInclude(connections[0], { connection_id: id, documents: 2, documents_exact: true })
        assert.isString(connections[0].last_change)
        assert.strictEqual(code(yield* send("GET", path, { key })), "permission_denied")
      }
      for (const filter of [{ sources: ["custom:wiki", "custom"] }, { metadata: { team: "a" } }]) {
        const elsewhere = yield* send("GET", "/v1/connections", { key: yield* tokenFor(filter) })
        assert.deepStrictEqual(elsewhere.body, [])
      }
    }))

  it.effect("is refused with the invalid field, and never with a secret", () =>
    Effect.gen(function*() {
      const { path, send } = yield* connected
      const secret = "s3cret!"
      const tries: ReadonlyArray<readonly [unknown, ReadonlyArray<ReadonlyArray<string>>]> = [
        [{ host: "h", username: "u", password: secret }, [["body.config.password", "string_too_short"]]],
        [{ host: 7, username: "u", password: MAIL_PASSWORD }, [["body.config.host", "string_type"]]],
        [{ username: "u", password: MAIL_PASSWORD }, [["body.config.host", "missing"]]],
        [{ ...CONFIG, colour: "red", __proto__x: 1 }, [
          ["body.config.colour", "extra_forbidden"],
          ["body.config.__proto__x", "extra_forbidden"]
        ]],
        [{ ...CONFIG, password: { $ne: secret } }, [["body.config.password", "string_type"]]],
        ["text", [["body.config", "dict_type"]]],
        [{ ...CONFIG, port: 1.5 }, [["body.config.port", "int_from_float"]]]
      ]
      for (const [config, expected] of tries) {
        for (const [method, at] of [["POST", "/v1/connections"], ["PATCH", path]] as const) {
          const answer = yield* send(method, at, { body: method === "POST" ? { ...MAIL, config } : { config } })
          assert.deepStrictEqual(problems(answer), expected, answer.text)
          assert.notInclude(answer.text, secret)
          assert.notInclude(answer.text, MAIL_PASSWORD)
        }
      }
      const unknown = yield* send("POST", "/v1/connections", { body: { ...MAIL, provider: "ftp" } })
      assert.deepStrictEqual([unknown.status, code(unknown)], [422, "unprocessable_entity"])
      const wrong = yield* send("POST", "/v1/connections", {
        body: { ...MAIL, config: { ...CONFIG, password: "another password" } }
      })
      assert.deepStrictEqual([wrong.status, code(wrong)], [400, "bad_request"])
      assert.include(wrong.text, "The server refused the password.")
      assert.notInclude(wrong.text, "another password")
      const long = yield* send("POST", "/v1/connections", {
        body: { ...MAIL, config: { ...CONFIG, username: "u".repeat(70_000) } }
      })
      assert.strictEqual(long.status, 400)
      assert.lengthOf((yield* send("GET", "/v1/connections")).body as ReadonlyArray<unknown>, 1)
    }))

  it.effect("that is refused echoes nothing of its configuration", () =>
    Effect.gen(function*() {
      const { path, send } = yield* connected
      const secret = "s3cret!"
      const inputs = (answer: Answer) => {
        assert.strictEqual(answer.status, 422, answer.text)
        const details = field<ReadonlyArray<{ readonly loc: ReadonlyArray<string>; readonly input?: object | number }>>(
          answer,
          "detail"
        )
        return details.flatMap(({ input, loc }) => input === undefined ? [] : [[loc.join("."), input]])
      }
      for (const config of [{ ...CONFIG, host: 7 }, { host: secret }, { ...CONFIG, Pass: secret }, secret, [secret]]) {
        for (const [method, at] of [["POST", "/v1/connections"], ["PATCH", path]] as const) {
          const answer = yield* send(method, at, { body: method === "POST" ? { ...MAIL, config } : { config } })
          assert.deepStrictEqual(inputs(answer), [], answer.text)
        }
      }
      const config = { ...CONFIG, password: secret }
      const bodies: ReadonlyArray<readonly [unknown, Array<[string, object | number]>]> = [
        [{ config }, []],
        [{ ...MAIL, configuration: config }, []],
        [[config], []],
        [{ ...MAIL, name: 5, config, sync_config: { start: { type: "relative" } } }, [
          ["body.name", 5],
          ["body.sync_config.start.relative.days", { type: "relative" }]
        ]]
      ]
      for (const [body, expected] of bodies) {
        assert.deepStrictEqual(inputs(yield* send("POST", "/v1/connections", { body })), expected)
      }
    }))

  it.effect("keeps a secret only if no other field of the configuration changes", () =>
    Effect.gen(function*() {
      const { path, send } = yield* connected
      const { password: _, ...open } = CONFIG
      assert.strictEqual((yield* send("PATCH", path, { body: { config: open } })).status, 200)
      const stolen = yield* send("PATCH", path, { body: { config: { ...open, host: "evil.example" } } })
      assert.deepStrictEqual(problems(stolen), [["body.config.password", "missing"]])
      const wider = yield* send("PATCH", path, { body: { config: { ...open, port: 25 } } })
      assert.deepStrictEqual(problems(wider), [["body.config.password", "missing"]])
    }))

  it.effect("has a schema from which a form can be generated", () =>
    Effect.gen(function*() {
      const { send } = yield* connected
      const { body } = yield* send("GET", "/v1/providers")
      const [{ config_schema, provider, resources, sync_config_schema }] = body as [{
        readonly provider: string
        readonly resources: ReadonlyArray<string>
        readonly config_schema: { readonly properties: Record<string, object>; readonly [_: string]: unknown }
        readonly sync_config_schema: {
          readonly properties: Record<string, object>
          readonly $defs: object
          readonly additionalProperties: boolean
        }
      }]
      assert.strictEqual(provider, "imap")
      assert.deepStrictEqual(resources, ["INBOX"])
      assert.deepInclude(config_schema, {
        type: "object",
        required: ["host", "username", "password"],
        additionalProperties: false
      })
      assert.deepInclude(config_schema.properties["password"]!, {
        type: "string",
        title: "Password",
        description: "Or one for this program alone.",
        format: "password",
        writeOnly: true
      })
      assert.deepStrictEqual(config_schema.properties["port"], { type: "integer" })
      assert.deepInclude(sync_config_schema.properties["interval_minutes"]!, { default: 15 })
      assert.isFalse(sync_config_schema.additionalProperties)
      for (const bound of Object.values(sync_config_schema.$defs)) {
        assert.deepInclude(bound, { additionalProperties: false })
      }
    }))
})
