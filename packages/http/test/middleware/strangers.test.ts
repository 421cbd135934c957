// Every operation of the definition, tried by everybody who may not: interface.md "Authentication" 5-8, decisions.md §3
// "Order of checks". A new operation is covered by being defined.
import { assert, describe, it } from "@effect/vitest"
import { FineScope } from "@tributary/core/model/Scope"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { FORM_TYPE, formText, OPERATED, type Operation, PUBLIC } from "../support/operations.ts"
import { MAIL_PASSWORD } from "../support/mailProvider.ts"
import { ADMIN_TOKEN, type Answer, code, EVERYTHING, field, type Sent, wire } from "../support/wire.ts"

const GARBLED = [
  "",
  "Bearer",
  "Bearer ",
  "Basic x",
  "Bearer pk_live_x",
  `Bearer pk_live_${"x".repeat(43)}`,
  "Bearer a b"
]

/** A request that is right but for who sends it. */
const rightly = ({ example, takesBody, takesForm }: Operation): Sent =>
  takesForm
    ? { raw: formText({}, "text"), headers: { "content-type": FORM_TYPE } }
    : takesBody
    ? { body: example }
    : {}

/** An invalid request, whose problems only authorized callers may learn. */
const wrongly = ({ takesBody }: Operation): Sent =>
  takesBody ? { raw: "{", headers: { "content-type": "application/json" } } : {}

const NOW = "2026-05-05T10:00:00Z"

const full = Effect.gen(function*() {
  yield* TestClock.setTime(Date.parse(NOW))
  const service = yield* wire({ held: true })
  const created = yield* service.send("POST", "/v1/custom-connectors", {
    body: { name: "n", source_name: "secret-source" }
  })
  const connector = field<string>(created, "connector_id")
  const ingested = yield* service.send("POST", `/v1/custom-connectors/${connector}/ingest/text`, {
    body: { items: [{ external_id: "note-1", text: "A secret text." }] }
  })
  const [document] = field<ReadonlyArray<{ readonly document_id: string }>>(ingested, "items")
  const connection = yield* service.send("POST", "/v1/connections", {
    body: {
      provider: "imap",
      name: "C",
      config: { host: "secret.example", username: "u", password: MAIL_PASSWORD }
    }
  })
  const job = yield* service.send("POST", "/v1/knowledge/ask", { body: { query: "A secret question?", async: true } })
  const asked = yield* service.send("POST", "/v1/knowledge/ask", { body: { query: "A secret question?" } })
  const webhook = yield* service.send("POST", "/v1/webhooks", {
    body: { url: "https://secret.example/hook", event_types: ["document.created"] }
  })
  const webhook_id = field<string>(webhook, "webhook_id")
  const sent = yield* service.send("POST", `/v1/webhooks/${webhook_id}/test`)
  const ids: Readonly<Record<string, string>> = {
    connector_id: connector,
    connection_id: field<string>(connection, "connection_id"),
    resource: "INBOX",
    document_id: document!.document_id,
    external_id: "note-1",
    job_id: field<string>(job, "job_id"),
    question_id: asked.headers.get("x-question-id")!,
    webhook_id,
    event_id: field<string>(sent, "event_id"),
    workspace_id: service.workspace.workspace_id,
    account_id: service.account.account_id,
    key_id: service.key.key_id
  }
  const at = ({ path }: Operation): string => path.replaceAll(/:([a-z_]+)/g, (_, name: string) => ids[name]!)
  /** All that the workspace holds, as its own key sees it. */
  const held = Effect.map(
    Effect.forEach(
      [
        "/v1/usage/current",
        "/v1/custom-connectors?include_inactive=true",
        "/v1/connections",
        `/v1/connections/${ids["connection_id"]}/sync`,
        `/v1/documents/${document!.document_id}`,
        "/v1/knowledge/settings",
        "/v1/knowledge/ask/jobs",
        "/v1/knowledge/questions",
        "/v1/runtime/events",
        `/v1/webhooks/${webhook_id}/deliveries`,
        "/v1/workspaces"
      ],
      (path) => service.send("GET", path)
    ),
    (answers) => answers.map(({ body }) => body)
  )
  return { ...service, ids, at, held }
})

const declared = ({ complaint, name }: Operation, answer: Answer) =>
  assert.isUndefined(complaint(answer), `${name}: ${complaint(answer)} ${answer.status} ${answer.text}`)

describe("Every public operation", () => {
  it.effect("is 401 without a key, or with an invalid, revoked or expired one, whatever else is wrong", () =>
    Effect.gen(function*() {
      const { at, held, newKey, operate, send, workspace } = yield* full
      const revoked = yield* newKey(["api:read", "api:write"])
      yield* operate("DELETE", `/api-keys/${revoked.key_id}`)
      const expiring = yield* operate("POST", `/workspaces/${workspace.workspace_id}/api-keys`, {
        body: { name: "K", scopes: ["api:read", "api:write"], expires_at: NOW.replace("00Z", "01Z") }
      })
      yield* TestClock.adjust("1 second")
      const before = yield* held
      const credentials = [...GARBLED, `Bearer ${revoked.secret}`, `Bearer ${field<string>(expiring, "secret")}`]
      for (const operation of PUBLIC) {
        for (const sent of [rightly(operation), wrongly(operation)]) {
          for (const authorization of [undefined, ...credentials]) {
            const headers = {
              ...sent.headers,
              ...(sent.body === undefined ? {} : { "content-type": "application/json" })
            }
            const answer = yield* send(operation.method, at(operation), {
              ...sent,
              key: null,
              headers: authorization === undefined ? headers : { ...headers, authorization }
            })
            assert.deepStrictEqual([answer.status, code(answer)], [401, "authentication_error"], operation.name)
            declared(operation, answer)
          }
        }
      }
      assert.deepStrictEqual(yield* held, before)
    }))

  it.effect("is 403 with a key that lacks its scope, and names it", () =>
    Effect.gen(function*() {
      const { at, held, newKey, send } = yield* full
      const before = yield* held
      for (const operation of PUBLIC) {
        const { name, method, scopes } = operation
        const { secret } = yield* newKey(FineScope.literals.filter((scope) => !scopes.includes(scope)))
        if (scopes.length === 0) {
          const answer = yield* send(method, at(operation), { ...rightly(operation), key: secret })
          assert.isBelow(answer.status, 300, name)
          continue
        }
        for (const sent of [rightly(operation), wrongly(operation)]) {
          const answer = yield* send(method, at(operation), { ...sent, key: secret })
          assert.deepStrictEqual(
            [answer.status, code(answer), field(answer, "details")],
            [403, "insufficient_scopes", { missing_scopes: scopes.slice(0, 1) }],
            name
          )
          declared(operation, answer)
        }
      }
      assert.deepStrictEqual(yield* held, before)
    }))

  it.effect("is 403 for a suspended workspace", () =>
    Effect.gen(function*() {
      const { at, held, operate, send, workspace } = yield* full
      const before = yield* held
      const suspend = (suspended: boolean) =>
        operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended } })
      yield* suspend(true)
      for (const operation of PUBLIC) {
        for (const sent of [rightly(operation), wrongly(operation)]) {
          const answer = yield* send(operation.method, at(operation), sent)
          assert.deepStrictEqual([answer.status, code(answer)], [403, "permission_denied"], operation.name)
          declared(operation, answer)
        }
      }
      yield* suspend(false)
      assert.deepStrictEqual(yield* held, before)
    }))

  it.effect("shows and changes nothing of another workspace", () =>
    Effect.gen(function*() {
      const { at, held, ids, newKey, operate, send } = yield* full
      const other = yield* operate("POST", "/accounts", { body: { name: "O" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(other, "personal_workspace")
      const { secret: key } = yield* newKey(EVERYTHING, workspace_id)
      const before = yield* held
      for (const operation of PUBLIC) {
        const answer = yield* send(operation.method, at(operation), { ...rightly(operation), key })
        declared(operation, answer)
        if (operation.path.includes(":")) {
          assert.strictEqual(answer.status, 404, `${operation.name} ${answer.text}`)
        } else if (operation.name === "deleteDocuments") {
          // Its filter names a document that the other workspace does not have.
          assert.strictEqual(answer.status, 409, answer.text)
        } else {
          assert.isBelow(answer.status, 300, `${operation.name} ${answer.text}`)
        }
        for (
          const secret of [
            ...Object.values(ids).filter((id) => !["note-1", "INBOX"].includes(id)),
            "secret-source",
            "secret.example",
            "A secret"
          ]
        ) {
          assert.notInclude(answer.text, secret, operation.name)
        }
      }
      assert.deepStrictEqual(yield* held, before)
    }))
})

describe("Every operation for operators", () => {
  it.effect("is 401 without the token, also with an API key", () =>
    Effect.gen(function*() {
      const { at, held, key, send } = yield* full
      const before = yield* held
      const garbled = [...GARBLED, `Bearer ${ADMIN_TOKEN}x`, `Bearer ${ADMIN_TOKEN.slice(1)}`, `Bearer ${key.secret}`]
      for (const operation of OPERATED) {
        for (const authorization of garbled) {
          for (const { body, headers, raw } of [rightly(operation), wrongly(operation)]) {
            const answer = yield* send(operation.method, at(operation), {
              key: null,
              ...(body === undefined ? {} : { body }),
              ...(raw === undefined ? {} : { raw }),
              headers: { ...headers, authorization },
              // Too many from one address would be rate limited.
              address: crypto.randomUUID()
            })
            assert.deepStrictEqual([answer.status, code(answer)], [401, "authentication_error"], operation.name)
            declared(operation, answer)
          }
        }
      }
      assert.deepStrictEqual(yield* held, before)
    }))

  it.effect("does not exist without a token, and a client's key does not authorize it", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ operator: false })
      for (const operation of OPERATED) {
        const path = operation.path.replaceAll(/:[a-z_]+/g, crypto.randomUUID())
        for (const key of [ADMIN_TOKEN, null]) {
          const answer = yield* send(operation.method, path, { ...rightly(operation), key })
          assert.deepStrictEqual([answer.status, code(answer)], [404, "not_found"], operation.name)
        }
      }
    }))
})
