/**
 * Every public operation for everybody who may not, or not wholly: a key of another account, a member, a key of a
 * suspended workspace, and an expired one. An operation that is added needs a row, or this fails.
 */
import { assert, describe, it } from "@effect/vitest"
import { scopesOf } from "@tributary/core/model/Person"
import { covers, type FineScope } from "@tributary/core/model/Scope"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { consoled } from "../support/console.ts"
import { MAIL_PASSWORD } from "../support/mailProvider.ts"
import { FORM_TYPE, formText, type Operation, PUBLIC } from "../support/operations.ts"
import { type Answer, code, EVERYTHING, field, type Sent, wire } from "../support/wire.ts"

interface Row {
  /** The answer to a key of another account, with every scope and foreign ids. */
  readonly foreign: 404 | "its own"
  /** The answer to a token that sees part of the workspace. */
  readonly narrowed: 403 | "its part"
}

const own: Row = { foreign: "its own", narrowed: 403 }
const hidden: Row = { foreign: 404, narrowed: 403 }
const ownInPart: Row = { ...own, narrowed: "its part" }
const hiddenInPart: Row = { ...hidden, narrowed: "its part" }

const ROWS: Readonly<Record<string, Row>> = {
  ask: ownInPart,
  browseDocuments: ownInPart,
  cancelAskJob: hidden,
  cancelSync: hidden,
  confirmDeletions: hidden,
  createConnection: own,
  createConnector: own,
  createToken: own,
  createWebhook: own,
  createWorkspace: own,
  deactivateConnector: hidden,
  deleteConnection: hidden,
  deleteConnectorDocument: hidden,
  deleteConnectorDocuments: hidden,
  deleteDocument: hidden,
  deleteDocuments: own,
  deleteWebhook: hidden,
  deleteQuestion: hidden,
  deleteQuestions: own,
  getAskJob: hiddenInPart,
  getConnection: hidden,
  getConnector: hiddenInPart,
  getConnectorDocument: hiddenInPart,
  getDelivery: hidden,
  getDocument: hiddenInPart,
  getSettings: own,
  getStatus: own,
  getUsage: ownInPart,
  getWebhook: hidden,
  getUsageHistory: own,
  ingestFile: hidden,
  ingestJson: hidden,
  ingestText: hidden,
  ingestTyped: hidden,
  listAskJobs: ownInPart,
  listAuditLog: own,
  listConnections: ownInPart,
  listConnectors: ownInPart,
  listDeliveries: hidden,
  listDocuments: hiddenInPart,
  listEvents: ownInPart,
  listProviders: own,
  listQuestions: own,
  listSyncRuns: hidden,
  listSyncStates: hidden,
  listWebhooks: own,
  listWorkspaces: own,
  rateQuestion: hiddenInPart,
  refresh: own,
  resendDelivery: hidden,
  rotateWebhookSecret: hidden,
  search: ownInPart,
  startSync: hidden,
  testWebhook: hidden,
  updateConnection: hidden,
  updateConnector: hidden,
  updateSettings: own,
  updateWebhook: hidden
}

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

const refusalOf = (answer: Answer) => [answer.status, code(answer)]

describe("Every public operation", () => {
  it("has a row", () => {
    assert.deepStrictEqual(Object.keys(ROWS).sort(), PUBLIC.map(({ name }) => name).sort())
  })

  it.effect("shows nothing to a key of another account, whatever ids it has", () =>
    Effect.gen(function*() {
      const { ids, newKey, operate, request, send } = yield* prepared
      const other = yield* operate("POST", "/accounts", { body: { name: "Other", tier: "pro" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(other, "personal_workspace")
      const { secret } = yield* newKey(EVERYTHING, workspace_id)
      for (const operation of PUBLIC) {
        const [path, sent] = request(operation)
        const answer = yield* send(operation.method, path, { ...sent, key: secret })
        if (ROWS[operation.name]!.foreign === 404) assert.strictEqual(answer.status, 404, operation.name)
        else assert.isFalse(mentions(answer, ids), operation.name)
        assert.notInclude(answer.text, SECRET, operation.name)
      }
    }))

  it.effect("shows nothing to a token that sees nothing of the workspace", () =>
    Effect.gen(function*() {
      const { ids, key, request, send } = yield* prepared
      const body = { expires_in: 3_600, filter: { sources: ["custom:nothing"] } }
      const token = field<string>(yield* send("POST", "/v1/tokens", { key, body }), "token")
      for (const operation of PUBLIC) {
        const [path, sent] = request(operation)
        const answer = yield* send(operation.method, path, { ...sent, key: token })
        assert.isFalse(mentions(answer, ids), operation.name)
        assert.strictEqual(answer.status === 403, ROWS[operation.name]!.narrowed === 403, operation.name)
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

  it.effect("is refused in a suspended workspace, and with an expired key", () =>
    Effect.gen(function*() {
      const { key, operate, request, send, shared } = yield* prepared
      const short = yield* operate("POST", `/workspaces/${shared}/api-keys`, {
        body: { name: "Short", scopes: EVERYTHING, expires_at: "1970-01-01T00:05:00Z" }
      })
      yield* operate("PATCH", `/workspaces/${shared}`, { body: { suspended: true } })
      for (const operation of PUBLIC) {
        const [path, sent] = request(operation)
        const answer = yield* send(operation.method, path, { ...sent, key })
        assert.deepStrictEqual(refusalOf(answer), [403, "permission_denied"], operation.name)
      }
      yield* operate("PATCH", `/workspaces/${shared}`, { body: { suspended: false } })
      yield* TestClock.adjust("5 minutes")
      for (const operation of PUBLIC) {
        const [path, sent] = request(operation)
        const answer = yield* send(operation.method, path, { ...sent, key: field<string>(short, "secret") })
        assert.deepStrictEqual(refusalOf(answer), [401, "authentication_error"], operation.name)
      }
    }))
})
