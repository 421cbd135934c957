/**
 * Every public operation for callers that may do a part of what a key may: a token with a filter, and a member.
 * `strangers.test.ts` has those that may do nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { scopesOf } from "@tributary/core/model/Person"
import { covers, type FineScope } from "@tributary/core/model/Scope"
import { Effect } from "effect"
import { consoled } from "../support/console.ts"
import { MAIL_PASSWORD } from "../support/mailProvider.ts"
import { FILTERED } from "../support/narrowed.ts"
import { FORM_TYPE, formText, type Operation, PUBLIC } from "../support/operations.ts"
import { type Answer, EVERYTHING, field, type Sent, wire } from "../support/wire.ts"

const SECRET = "The heron nests behind the mill."

/** A workspace with something of everything in it, and what its ids are. */
const prepared = Effect.gen(function*() {
  const service = yield* consoled(yield* wire({ tier: "pro" }))
  const { operate, owner, newWorkspace, send } = service
  const shared = yield* newWorkspace("Shared")
  const made = yield* operate("POST", `/workspaces/${shared}/api-keys`, { body: { name: "K", scopes: EVERYTHING } })
  const key = field<string>(made, "secret")
  const at = (method: string, path: string, body: object) => send(method, path, { key, body })
  const connector = yield* at("POST", "/v1/custom-connectors", { name: "Herons", source_name: "herons" })
  const connector_id = field<string>(connector, "connector_id")
  const ingested = yield* at("POST", `/v1/custom-connectors/${connector_id}/ingest/text`, {
    items: [{ external_id: "heron", text: SECRET }]
  })
  const [document] = field<ReadonlyArray<{ readonly document_id: string }>>(ingested, "items")
  const config = { host: "mail.example", username: "ada", password: MAIL_PASSWORD }
  const connection = yield* at("POST", "/v1/connections", { provider: "imap", name: "Post", config })
  const job = yield* at("POST", "/v1/knowledge/ask", { query: "Where does the heron nest?", async: true })
  const webhook = yield* at("POST", "/v1/webhooks", {
    url: "https://example.com/hook",
    event_types: ["document.created"]
  })
  const webhook_id = field<string>(webhook, "webhook_id")
  const sent = yield* at("POST", `/v1/webhooks/${webhook_id}/test`, {})
  const asked = yield* at("POST", "/v1/knowledge/ask", { query: "Where does the heron nest?" })
  const ids: Readonly<Record<string, string>> = {
    connector_id,
    document_id: document!.document_id,
    external_id: "heron",
    job_id: field<string>(job, "job_id"),
    question_id: asked.headers.get("x-question-id") ?? "",
    connection_id: field<string>(connection, "connection_id"),
    resource: "INBOX",
    webhook_id,
    event_id: field<string>(sent, "event_id")
  }
  const request = ({ example, path, takesBody, takesForm }: Operation): readonly [string, Sent] => [
    path.replaceAll(/:([a-z_]+)/g, (_, name: string) => ids[name] ?? name),
    !takesBody
      ? {}
      : takesForm
      ? { raw: formText({ kind: "page" }, "Text."), headers: { "content-type": FORM_TYPE } }
      : { raw: JSON.stringify(example ?? {}), headers: { "content-type": "application/json" } }
  ]
  return { ...service, ids, key, owner, request, shared }
})

/** Whether an answer reveals anything of the workspace. */
const mentions = ({ text }: Answer, ids: Readonly<Record<string, string>>): boolean =>
  text.includes(SECRET) ||
  ["connection_id", "connector_id", "document_id", "event_id", "job_id", "question_id", "webhook_id"].some((name) =>
    text.includes(ids[name]!)
  )

describe("Every public operation", () => {
  it.effect("shows nothing to a token that sees nothing of the workspace", () =>
    Effect.gen(function*() {
      const { ids, key, request, send } = yield* prepared
      const body = { expires_in: 3_600, filter: { sources: ["custom:nothing"] } }
      const token = field<string>(yield* send("POST", "/v1/tokens", { key, body }), "token")
      for (const operation of PUBLIC) {
        const [path, sent] = request(operation)
        const answer = yield* send(operation.method, path, { ...sent, key: token })
        assert.isFalse(mentions(answer, ids), operation.name)
        assert.strictEqual(answer.status !== 403, FILTERED.includes(operation.name), operation.name)
      }
    }))

  it.effect("allows a member exactly the operations of members", () =>
    Effect.gen(function*() {
      const { invited, request, shared } = yield* prepared
      const member = yield* invited(shared, "member@example.com", "member")
      const allowed = scopesOf("member")
      for (const operation of PUBLIC) {
        const [path, sent] = request(operation)
        const headers = { ...sent.headers, "x-workspace-id": shared }
        const answer = yield* member.visit(operation.method, path, { ...sent, headers })
        const scopes = operation.scopes as ReadonlyArray<FineScope>
        // Tokens are made from keys, which people have none of.
        const isAllowed = operation.name !== "createToken" &&
          (scopes.length === 0 || scopes.some((scope) => covers(allowed, scope)))
        const isRefused = answer.status === 403 || answer.status === 401
        assert.strictEqual(isRefused, !isAllowed, `${operation.name}: ${answer.status}`)
      }
    }))
})
