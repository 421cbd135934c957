// The audit log, for owners and for keys with its explicit scope.
import { assert, describe, it } from "@effect/vitest"
import type { Scope } from "@tributary/core/model/Scope"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { COOKIE, OF_CONSOLE } from "./support/console.ts"
import { team } from "./support/team.ts"
import { MAIL_PASSWORD } from "./support/mailProvider.ts"
import { type Answer, BASE_URL, code, field, wire } from "./support/wire.ts"

const CONNECTORS = "/v1/custom-connectors"

type Json = Readonly<Record<string, unknown>>

const list = (answer: Answer, name: string) => field<ReadonlyArray<Json>>(answer, name)

const of = (workspaceId: string) => ({ headers: { "x-workspace-id": workspaceId } })

describe("The audit log", () => {
  it.effect("has actor, action, time and network address", () =>
    Effect.gen(function*() {
      const { handle, operate, owner, personal, red, redMember, redOwner } = yield* team
      const workspace = `/workspaces/${red}`
      const made = yield* handle(
        new Request(`${BASE_URL}/console/api${workspace}/api-keys`, {
          method: "POST",
          headers: { ...OF_CONSOLE, cookie: `${COOKIE}=${redOwner.secret}`, "content-type": "application/json" },
          body: new TextEncoder().encode(JSON.stringify({ name: "CI", scopes: ["api:read"] }))
        }),
        "192.0.2.9"
      )
      const key = field<string>(made, "key_id")
      yield* redOwner.api("DELETE", `${workspace}/api-keys/${key}`)
      yield* redOwner.api("PATCH", `${workspace}/members/${redMember.user_id}`, { body: { role: "owner" } })
      yield* redOwner.api("DELETE", `${workspace}/members/${redMember.user_id}`)
      yield* operate("PATCH", workspace, { body: { tier: "free" } })
      const log = yield* redOwner.audit(red, "limit=5")
      const who = { type: "user", id: redOwner.user_id }
      assert.deepStrictEqual(list(log, "entries").map(({ action, actor, subject }) => [action, actor, subject]), [
        ["workspace.changed", { type: "user", id: "operator" }, red],
        ["member.removed", who, redMember.user_id],
        ["member.changed", who, redMember.user_id],
        ["api_key.revoked", who, key],
        ["api_key.created", who, key]
      ])
      assert.deepInclude(list(log, "entries").at(-1)!, {
        workspace_id: red,
        address: "192.0.2.9",
        created_at: "1970-01-01T00:00:00.000Z",
        details: { name: "CI" }
      })
      const next = yield* redOwner.audit(red, `cursor=${field<string>(log, "next_cursor")}`)
      assert.deepStrictEqual(list(next, "entries").map(({ action }) => action), [
        "member.joined",
        "invitation.created",
        "member.joined",
        "invitation.created",
        "workspace.created"
      ])

      // Entries that do not concern one workspace are only for the account's owner.
      assert.notInclude(log.text + next.text, "session.started")
      yield* operate("DELETE", workspace)
      const all = list(yield* owner.audit(personal, "limit=200"), "entries")
      assert.includeMembers(all.map(({ action }) => action), [
        "session.started",
        "workspace.deleted",
        "api_key.created"
      ])
      assert.notInclude(JSON.stringify(all), field<string>(made, "secret"))
    }))

  it.effect("has changes of connectors, connections and the range, also by starting a sync", () =>
    Effect.gen(function*() {
      const { key: { key_id }, send, workspace: { workspace_id } } = yield* wire()
      const change = (method: string, path: string, body?: Json) =>
        send(method, path, { address: "192.0.2.7", ...(body && { body }) })
      const connector = field<string>(
        yield* change("POST", CONNECTORS, { name: "A", source_name: "a" }),
        "connector_id"
      )
      yield* change("PATCH", `${CONNECTORS}/${connector}`, { name: "B" })
      yield* change("PATCH", `${CONNECTORS}/${connector}`, {})
      yield* change("DELETE", `${CONNECTORS}/${connector}?delete_documents=true`)
      const config = { host: "mail.example", username: "ada", password: MAIL_PASSWORD }
      const mail = { provider: "imap", name: "Post", config }
      const connection = field<string>(yield* change("POST", "/v1/connections", mail), "connection_id")
      yield* change("PATCH", `/v1/connections/${connection}`, { name: "Mail" })
      yield* change("POST", `/v1/connections/${connection}/sync`, { sync_config: { interval_minutes: 60 } })
      yield* change("DELETE", `/v1/connections/${connection}`)
      const range = { temporal_settings: { start: { type: "date", date: "2026-01-01" }, end: null } }
      yield* change("PATCH", "/v1/knowledge/settings", range)
      for (const unchanged of [{}, { temporal_settings: null }]) {
        yield* change("PATCH", "/v1/knowledge/settings", unchanged)
      }
      assert.strictEqual((yield* change("DELETE", `${CONNECTORS}/${workspace_id}`)).status, 404)
      const entries = list(yield* send("GET", "/v1/audit-log?q=192.0.2.7"), "entries").toReversed()
      for (const { actor, address } of entries) {
        assert.deepStrictEqual([actor, address], [{ type: "api_key", id: key_id }, "192.0.2.7"])
      }
      assert.deepStrictEqual(entries.map(({ action, details, subject }) => [action, subject, details]), [
        ["connector.created", connector, { name: "A" }],
        ["connector.changed", connector, { name: "B" }],
        ["connector.deactivated", connector, { delete_documents: true }],
        ["connection.created", connection, { name: "Post", provider: "imap" }],
        ["connection.changed", connection, { name: "Mail", provider: "imap" }],
        ["connection.changed", connection, { name: "Mail", provider: "imap" }],
        ["connection.deleted", connection, { delete_documents: false }],
        ["knowledge_range.changed", workspace_id, { changes: JSON.stringify(range) }]
      ])
    }))

  it.effect("has deletions of documents by id and by filter, and none that a connector's program makes", () =>
    Effect.gen(function*() {
      const { key: { key_id }, send, workspace: { workspace_id } } = yield* wire()
      const connector = field<string>(
        yield* send("POST", CONNECTORS, { body: { name: "A", source_name: "a" } }),
        "connector_id"
      )
      const items = ["a", "b", "c", "d", "e"].map((external_id) => ({ external_id, text: `Note ${external_id}` }))
      const pushed = yield* send("POST", `${CONNECTORS}/${connector}/ingest/text`, { body: { items } })
      const [one, two] = list(pushed, "items").map((item) => item["document_id"] as string)
      yield* send("DELETE", `/v1/documents/${one}`)
      yield* send("DELETE", `${CONNECTORS}/${connector}/documents/c`)
      for (const document_ids of [[two], [one, two]]) {
        yield* send("POST", "/v1/documents/delete", { body: { document_ids } })
      }
      const filter = { connector_id: connector }
      yield* send("POST", "/v1/documents/delete", { body: { filter, confirm_total: 1 } })
      yield* send("POST", "/v1/documents/delete", { body: { filter, confirm_total: 2 } })
      const entries = list(yield* send("GET", "/v1/audit-log?action=documents"), "entries").toReversed()
      assert.deepStrictEqual(entries.map(({ actor, details, subject }) => [actor, subject, details]), [
        [{ type: "api_key", id: key_id }, one, { documents: 1 }],
        [{ type: "api_key", id: key_id }, workspace_id, { documents: 1 }],
        [{ type: "api_key", id: key_id }, workspace_id, { documents: 2 }]
      ])
    }))

  it.effect("is for owners, and for keys with its explicit scope", () =>
    Effect.gen(function*() {
      const { newKey, red, redMember, redOwner, send } = yield* team
      assert.strictEqual(code(yield* redMember.audit(red)), "permission_denied")
      const read = (scopes: ReadonlyArray<Scope>) =>
        Effect.flatMap(newKey(scopes, red), ({ secret: key }) => send("GET", "/v1/audit-log", { key }))
      assert.strictEqual(code(yield* read(["api:read", "api:write"])), "insufficient_scopes")
      assert.deepStrictEqual(
        field(yield* read(["audit:read"]), "entries"),
        field(yield* redOwner.audit(red), "entries")
      )
    }))

  it.effect("is still visible to the owner of a suspended workspace, and to nobody else", () =>
    Effect.gen(function*() {
      const { newKey, operate, red, redMember, redOwner, send } = yield* team
      const { secret: key } = yield* newKey(["audit:read"], red)
      yield* operate("PATCH", `/workspaces/${red}`, { body: { suspended: true } })
      const [last] = list(yield* redOwner.audit(red), "entries")
      assert.deepInclude(last!, { action: "workspace.changed", actor: { type: "user", id: "operator" } })
      assert.strictEqual(code(yield* redMember.audit(red)), "permission_denied")
      assert.strictEqual(code(yield* send("GET", "/v1/audit-log", { key })), "permission_denied")
      assert.strictEqual(code(yield* redOwner.visit("GET", "/v1/usage/current", of(red))), "permission_denied")
    }))

  it.effect("is filtered by action, actor, subject, time and words, page by page, and records its export", () =>
    Effect.gen(function*() {
      const { operate, red, redMember, redOwner } = yield* team
      yield* TestClock.adjust("1 hour")
      yield* operate("PATCH", `/workspaces/${red}`, { body: { tier: "free" } })
      const found = (query: string) =>
        Effect.map(redOwner.audit(red, query), (answer) => list(answer, "entries").map(({ action }) => action))
      assert.deepStrictEqual(yield* found("action=workspace.changed"), ["workspace.changed"])
      assert.deepStrictEqual(yield* found("action=member,workspace"), [
        "workspace.changed",
        "member.joined",
        "member.joined",
        "workspace.created"
      ])
      assert.deepStrictEqual(yield* found("action=work"), [])
      assert.deepStrictEqual(yield* found("actor=operator"), ["workspace.changed"])
      assert.deepStrictEqual(yield* found(`subject=${redMember.user_id}`), ["member.joined"])
      assert.deepStrictEqual(yield* found("from=1970-01-01T01:00:00Z"), ["workspace.changed"])
      assert.deepStrictEqual(yield* found("to=1970-01-01T01:00:00Z&action=workspace"), ["workspace.created"])
      assert.deepStrictEqual(yield* found("q=CHANGED%20free"), ["workspace.changed"])
      const first = yield* redOwner.visit("GET", "/v1/audit-log?action=member&limit=1&export=true", {
        ...of(red),
        address: "192.0.2.9"
      })
      const cursor = field<string>(first, "next_cursor")
      const second = yield* redOwner.audit(red, `action=member&limit=1&export=true&cursor=${cursor}`)
      assert.lengthOf([...list(first, "entries"), ...list(second, "entries")], 2)
      const [exported, ...more] = list(yield* redOwner.audit(red, "action=audit_log"), "entries")
      assert.deepInclude(exported!, {
        action: "audit_log.exported",
        details: { filter: "{\"action\":\"member\"}" },
        address: "192.0.2.9"
      })
      assert.deepStrictEqual(more, [])
    }))
})
