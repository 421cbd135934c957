// Callers of core's services, without HTTP, leave entries in the audit log as well.
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import type { AuditAction } from "../../src/model/AuditEntry.ts"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { principalOf } from "../../src/model/Person.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { AuditLog, ClientAddress } from "../../src/people/AuditLog.ts"
import { Invitations } from "../../src/people/Invitations.ts"
import { People } from "../../src/people/People.ts"
import { ReceivedInvitations } from "../../src/people/ReceivedInvitations.ts"
import { Sessions } from "../../src/people/Sessions.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { AuditStore, entriesOf } from "../../src/ports/AuditStore.ts"
import { Connections } from "../../src/sync/Connections.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { connect, newWorkspace, store, withSource } from "../support/connecting.ts"
import { newReceiver, node } from "../support/receiver.ts"
import { tinySource } from "../support/tinySource.ts"

it.effect(
  "a change by a host's own code is in the audit log, with who made it and from where",
  () =>
    withSource(0, function*() {
      const workspace = yield* newWorkspace()
      const { workspace_id } = workspace
      const by = { type: "user", id: "ada" } as const
      const wanted = { name: "Notes", source_name: "notes" }
      const { connector_id } = yield* (yield* Connectors).create(workspace, wanted, by)
      yield* (yield* KnowledgeContext).configure(workspace, { temporal_settings: { start: null, end: null } }, by)
      const { connection_id } = yield* connect(workspace)
      const { items } = yield* (yield* AuditLog).list(workspace, {}, { limit: 3, cursor: null })
      assert.deepStrictEqual(items.map(({ action, actor, address, subject }) => [action, actor.id, address, subject]), [
        ["connection.created", "operator", "192.0.2.7", connection_id],
        ["knowledge_range.changed", "ada", "192.0.2.7", workspace_id],
        ["connector.created", "ada", "192.0.2.7", connector_id]
      ])
    })().pipe(Effect.provideService(ClientAddress, "192.0.2.7"))
)

it.effect(
  "an export of many pages is in the audit log once, with its filter",
  withSource(0, function*() {
    const log = yield* AuditLog
    const workspace = yield* newWorkspace()
    const by = { type: "user", id: "ada" } as const
    for (const name of ["one", "two"]) yield* (yield* Connectors).create(workspace, { name, source_name: name }, by)
    const filter = { action: "connector.created" }
    const first = yield* log.export(workspace, filter, { limit: 1, cursor: null }, by)
    const second = yield* log.export(workspace, filter, { limit: 1, cursor: first.next }, by)
    assert.deepStrictEqual([first.items.length, second.items.length, second.next], [1, 1, null])
    const { items } = yield* log.list(workspace, { action: "audit_log" }, { limit: 10, cursor: null })
    assert.deepStrictEqual(items.map(({ actor, details }) => [actor, details]), [
      [by, { filter: JSON.stringify(filter) }]
    ])
  })
)

/** The answers of changes of these kinds are lost, as when the process ends after a commit. */
const losing = (...actions: ReadonlyArray<AuditAction>) =>
  Layer.effect(
    AuditStore,
    Effect.map(AuditStore, (inner) =>
      AuditStore.of({
        ...inner,
        record: Effect.fnUntraced(function*(change, drafts) {
          const result = yield* inner.record(change, drafts)
          const isLost = entriesOf(drafts, result).some(({ action }) => actions.includes(action))
          return isLost ? yield* new StorageUnavailable({ cause: "lost" }) : result
        })
      }))
  )

it.effect("a deletion whose answer is lost is in the audit log, although repeating it finds nothing", () => {
  const ports = losing("connection.deleted", "webhook.deleted", "workspace.deleted")
  return Effect.gen(function*() {
    const [connections, webhooks, workspaces] = [yield* Connections, yield* Webhooks, yield* Workspaces]
    const workspace = yield* newWorkspace()
    const { connection_id } = yield* connect(workspace)
    const { webhook_id } = yield* webhooks.create(
      workspace,
      { url: "https://example.com", event_types: ["document.created"] },
      OPERATOR
    )
    const deletions = Effect.all([
      Effect.flip(connections.delete(workspace, connection_id, false, OPERATOR)),
      Effect.flip(webhooks.delete(workspace, webhook_id, OPERATOR)),
      Effect.flip(workspaces.erase(workspace.workspace_id))
    ])
    const tags = Effect.map(deletions, (failures) => failures.map(({ _tag }) => _tag))
    assert.deepStrictEqual(yield* tags, ["StorageUnavailable", "StorageUnavailable", "StorageUnavailable"])
    assert.deepStrictEqual(yield* tags, ["connection_not_found", "webhook_not_found", "not_found"])
    const { items } = yield* (yield* AuditLog).list(workspace, {}, { limit: 3, cursor: null })
    assert.deepStrictEqual(items.map(({ action, subject }) => [action, subject]), [
      ["workspace.deleted", workspace.workspace_id],
      ["webhook.deleted", webhook_id],
      ["connection.deleted", connection_id]
    ])
  }).pipe(Effect.provide(
    Layer.provideMerge(node(newReceiver(), [tinySource().provider]), Layer.provideMerge(ports, store))
  ))
})

it.effect("what ends for people is in the audit log once, although its answer is lost; what is refused is not", () => {
  const ports = losing("invitation.declined", "invitation.revoked", "member.removed", "session.ended")
  return Effect.gen(function*() {
    const [invitations, people, received] = [yield* Invitations, yield* People, yield* ReceivedInvitations]
    const [sessions, workspaces] = [yield* Sessions, yield* Workspaces]
    const accountOf = (name: string) => workspaces.createAccount({ name, email: `${name}@example.com`, tier: "pro" })
    const { account_id, personal_workspace } = yield* accountOf("ada")
    const ada = yield* people.ownerOf(account_id)
    const bo = yield* people.ownerOf((yield* accountOf("bo")).account_id)
    const team = yield* workspaces.find((yield* workspaces.addShared(account_id, "Team")).workspace_id)
    const invite = Effect.fnUntraced(function*(email: string) {
      const invited = yield* invitations.invite(ada, team, { email, role: "owner" })
      return { id: invited!.invitation.invitation_id, token: invited!.link.token }
    })
    const [toBo, toCy] = [yield* invite("bo@example.com"), yield* invite("cy@example.com")]
    const { session: { session_id }, user: eve } = yield* sessions.signIn(
      (yield* invite("eve@example.com")).token,
      null
    )
    const ends = Effect.all([
      Effect.flip(received.decline(bo, toBo.id)),
      Effect.flip(invitations.revoke(ada, team, toCy.id)),
      Effect.flip(sessions.end(eve, session_id)),
      Effect.flip(people.setRole(ada, team, eve.user_id, null)),
      Effect.flip(people.setRole(ada, team, ada.user_id, null))
    ])
    const tags = Effect.map(ends, (failures) => failures.map(({ _tag }) => _tag))
    const lost = "StorageUnavailable"
    assert.deepStrictEqual(yield* tags, [lost, lost, lost, lost, "unprocessable_entity"])
    assert.deepStrictEqual(yield* tags, ["not_found", "not_found", "not_found", "not_found", "unprocessable_entity"])
    const { items } = yield* (yield* AuditLog).list(personal_workspace, {}, { limit: 5, cursor: null })
    assert.deepStrictEqual(items.map(({ action, subject }) => [action, subject]), [
      ["member.removed", eve.user_id],
      ["session.ended", session_id],
      ["invitation.revoked", toCy.id],
      ["invitation.declined", toBo.id],
      ["session.started", session_id]
    ])
  }).pipe(Effect.provide(Layer.provideMerge(node(newReceiver()), Layer.provideMerge(ports, store))))
})

it.effect("people who can no longer act are in the audit log, although the answer is lost", () => {
  const ports = losing("member.changed", "sessions.ended")
  return Effect.gen(function*() {
    const [invitations, people] = [yield* Invitations, yield* People]
    const [sessions, workspaces] = [yield* Sessions, yield* Workspaces]
    const { account_id, personal_workspace } = yield* workspaces.createAccount({ name: "Ada", tier: "pro" })
    const ada = yield* people.ownerOf(account_id)
    const team = yield* workspaces.find((yield* workspaces.addShared(account_id, "Team")).workspace_id)
    const invited = yield* invitations.invite(ada, team, { email: "eve@example.com", role: "owner" })
    const { secret, user: eve } = yield* sessions.signIn(invited!.link.token, null)
    yield* Effect.flip(people.setRole(eve, team, eve.user_id, "member"))
    yield* Effect.flip(sessions.endAll(eve))
    yield* Effect.flip(people.permitted(eve, team.workspace_id, "owner"))
    yield* Effect.flip(sessions.authenticate(secret, null))
    const { items } = yield* (yield* AuditLog).list(personal_workspace, {}, { limit: 2, cursor: null })
    assert.deepStrictEqual(items.map(({ action, details, subject }) => [action, details, subject]), [
      ["sessions.ended", { sessions: 1 }, eve.user_id],
      ["member.changed", { role: "member" }, eve.user_id]
    ])
  }).pipe(Effect.provide(Layer.provideMerge(node(newReceiver()), Layer.provideMerge(ports, store))))
})

it.effect("what was made is in the audit log once, although its answer is lost and it cannot be made again", () => {
  const ports = losing("connector.created", "member.joined", "workspace.created")
  return Effect.gen(function*() {
    const [connectors, invitations, people] = [yield* Connectors, yield* Invitations, yield* People]
    const [received, sessions, workspaces] = [yield* ReceivedInvitations, yield* Sessions, yield* Workspaces]
    const accountOf = (name: string) => workspaces.createAccount({ name, email: `${name}@example.com` })
    const { account_id, personal_workspace } = yield* accountOf("ada")
    const ada = yield* people.ownerOf(account_id)
    const bo = yield* people.ownerOf((yield* accountOf("bo")).account_id)
    const by = principalOf(ada)
    const shared = workspaces.createShared(personal_workspace, "Team", by)
    yield* Effect.flip(shared)
    const [, team] = (yield* workspaces.list(account_id, { limit: 2, cursor: null })).items
    const toBo = yield* invitations.invite(ada, team!, { email: "bo@example.com", role: "member" })
    const toCy = yield* invitations.invite(ada, team!, { email: "cy@example.com", role: "owner" })
    const made = Effect.all([
      Effect.flip(shared),
      Effect.flip(connectors.create(team!, { name: "Notes", source_name: "notes" }, by)),
      Effect.flip(received.accept(bo, toBo!.invitation.invitation_id)),
      Effect.flip(sessions.signIn(toCy!.link.token, null))
    ])
    const tags = Effect.map(made, (failures) => failures.map(({ _tag }) => _tag))
    const lost = "StorageUnavailable"
    assert.deepStrictEqual(yield* tags, ["unprocessable_entity", lost, lost, lost])
    assert.deepStrictEqual(yield* tags, [
      "unprocessable_entity",
      "unprocessable_entity",
      "not_found",
      "authentication_error"
    ])
    const { items } = yield* (yield* AuditLog).list(team!, {}, { limit: 9, cursor: null })
    assert.deepStrictEqual(items.map(({ action, details }) => [action, details["role"] ?? null]), [
      ["member.joined", "owner"],
      ["member.joined", "member"],
      ["connector.created", null],
      ["invitation.created", "owner"],
      ["invitation.created", "member"],
      ["workspace.created", null]
    ])
  }).pipe(Effect.provide(Layer.provideMerge(node(newReceiver()), Layer.provideMerge(ports, store))))
})
