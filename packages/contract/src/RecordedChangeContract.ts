/** The contract of `AuditStore.record`: a change and its entries are one act, whichever port makes the change. */
import { assert } from "@effect/vitest"
import type { AuditAction, AuditDraft, AuditEntry } from "@tributary/core/model/AuditEntry"
import { AuditEntryId } from "@tributary/core/model/Id"
import { principalOf } from "@tributary/core/model/Person"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { AuditStore, EVERY_ENTRY } from "@tributary/core/ports/AuditStore"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WebhookStore } from "@tributary/core/ports/WebhookStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Exit, Option } from "effect"
import { newConnection } from "./internal/connections.ts"
import {
  fiftyTimes,
  freshTeam,
  item,
  moment,
  newConnector,
  newHash,
  newInvitation,
  newJob,
  newKey,
  newQueue,
  newSession,
  newUser,
  newUuid,
  newWorkspace,
  UNCAPPED
} from "./internal/fixtures.ts"
import type { PeopleKit } from "./internal/Kit.ts"
import { linkFor, newUserId, signedIn } from "./internal/signingIn.ts"
import { newWebhook } from "./internal/webhooks.ts"

/** What is known before the change. */
const newDraft = (action: AuditAction, fields?: Partial<AuditDraft>): AuditDraft => ({
  entry_id: AuditEntryId.make(newUuid()),
  account_id: null,
  workspace_id: null,
  action,
  actor: OPERATOR,
  subject: "unknown",
  details: {},
  address: null,
  created_at: moment(),
  ...fields
})

interface Change {
  readonly action: AuditAction
  readonly change: Effect.Effect<unknown, unknown>
  /** What the draft lacks, and the result adds. */
  readonly added?: Partial<AuditEntry>
  /** Where the draft has to say whose the entry is. */
  readonly known?: Partial<AuditDraft>
}

/** One of every kind, in an order in which none is in the way of another. */
const everyChange = Effect.gen(function*() {
  const workspaces = yield* WorkspaceStore
  const people = yield* PeopleStore
  const sessions = yield* SessionStore
  const keys = yield* ApiKeyStore
  const connectors = yield* ConnectorStore
  const connections = yield* ConnectionStore
  const webhooks = yield* WebhookStore
  const knowledge = yield* KnowledgeStore
  const documents = yield* DocumentStore
  const { account, owner, personal, shared } = yield* freshTeam
  const { account_id } = account
  const home = personal.workspace_id
  const place = { account_id, workspace_id: shared.workspace_id }
  const team = shared.workspace_id
  const known = { account_id }
  const guest = yield* freshTeam
  const added = newWorkspace(account, { kind: "shared" })
  const notes = newConnector()
  const { connector_id } = notes
  yield* connectors.insert(team, notes, 9)
  yield* documents.admit(team, { connector_id, source: "custom:notes" }, [item("note", "text")], {
    caps: UNCAPPED,
    now: moment(),
    follow: newJob(team, newQueue())
  })
  const key = newKey({ name: "reader" })
  const connector = newConnector()
  const connection = newConnection()
  const webhook = newWebhook()
  const [invitation, another, third] = [newInvitation(), newInvitation({ role: "owner" }), newInvitation()]
  const toGuest = newInvitation({ email: guest.owner.email! })
  for (const one of [another, third, toGuest]) yield* people.invite(team, one, 9)
  const [link, toThird] = [
    yield* linkFor({ invitation_id: another.invitation_id }),
    yield* linkFor({ invitation_id: third.invitation_id })
  ]
  const colleague = newUser(account_id)
  yield* people.setOwner(colleague, moment())
  yield* people.setOwner(owner, moment())
  const extra = newWorkspace(account, { kind: "shared" })
  yield* workspaces.createShared(extra, null, null)
  yield* people.setRole(extra.workspace_id, colleague.user_id, null)
  const [one, two] = [yield* signedIn(owner.user_id), yield* signedIn(owner.user_id)]
  const newcomer = newUserId()
  const opening = { newUserId: newcomer, maximum: 9 }
  const signedInAs = { actor: principalOf({ user_id: newcomer }) }
  const changes: ReadonlyArray<Change> = [
    { action: "workspace.created", change: workspaces.createShared(added, null, null), known },
    { action: "workspace.renamed", change: workspaces.update(team, { name: "Crew" }), added: { workspace_id: team } },
    { action: "workspace.changed", change: workspaces.update(home, { tier: "pro" }), added: { workspace_id: home } },
    { action: "api_key.created", change: keys.insert(team, key, newHash()), known },
    {
      action: "api_key.revoked",
      change: keys.revoke(key.key_id, null, moment()),
      added: { workspace_id: team, details: { name: "reader" } }
    },
    { action: "connector.created", change: connectors.insert(team, connector, 9), known },
    {
      action: "connector.changed",
      change: connectors.update(team, connector.connector_id, { name: "Notes" }),
      known,
      added: { details: { name: "Notes" } }
    },
    { action: "connection.created", change: connections.insert(team, connection, 9), known },
    {
      action: "connection.changed",
      change: connections.update(team, connection.connection_id, { name: "Mail" }, {}),
      known,
      added: { details: { name: "Mail", provider: "mail" } }
    },
    { action: "connection.deleted", change: connections.remove(team, connection.connection_id), known },
    {
      action: "documents.deleted",
      change: documents.remove(team, { connector_id, external_ids: ["note"] }, moment(), newJob(team, newQueue())),
      known,
      added: { details: { documents: 1 } }
    },
    { action: "webhook.created", change: webhooks.insert(team, webhook, 9), known },
    {
      action: "webhook.changed",
      change: webhooks.update(team, webhook.webhook_id, { status: "disabled" }, null),
      known,
      added: { details: { url: webhook.url, status: "disabled" } }
    },
    { action: "webhook.deleted", change: webhooks.remove(team, webhook.webhook_id), known },
    { action: "knowledge_range.changed", change: knowledge.configure(team, null, newJob(team, newQueue())), known },
    { action: "invitation.created", change: people.invite(team, invitation, 9), known },
    { action: "invitation.revoked", change: people.revokeInvitation(team, invitation.invitation_id), known },
    {
      action: "member.added",
      change: people.invite(extra.workspace_id, newInvitation({ email: colleague.email! }), 9),
      known
    },
    {
      action: "member.joined",
      change: people.join(guest.owner.user_id, { link }, moment()),
      added: { workspace_id: team, details: { role: "owner" } }
    },
    {
      action: "member.joined",
      change: sessions.signIn(toThird, newSession(), newHash(), opening),
      known: { ...place, subject: newcomer }
    },
    {
      action: "session.started",
      change: sessions.signIn(yield* linkFor({ user_id: owner.user_id }), newSession(), newHash(), opening),
      known: signedInAs,
      added: { actor: principalOf(owner) }
    },
    { action: "session.ended", change: sessions.end(owner.user_id, one.session.session_id), known },
    { action: "invitation.declined", change: people.decline(guest.owner.user_id, toGuest.invitation_id), known },
    { action: "member.changed", change: people.setRole(team, guest.owner.user_id, "member"), known },
    {
      action: "account.owner_set",
      change: people.setOwner({ ...newUser(account_id), email: colleague.email }, moment()),
      known: { account_id, details: { before: owner.user_id } },
      added: { subject: colleague.user_id, details: { email: colleague.email, before: owner.user_id } }
    },
    {
      action: "sign_in_link.created",
      change: people.addLink(newHash(), { user_id: owner.user_id }, moment()),
      known
    },
    { action: "sessions.ended", change: sessions.end(owner.user_id, null), known, added: { details: { sessions: 2 } } },
    { action: "workspace.deleted", change: workspaces.close(team, newJob(team, newQueue())), known }
  ]
  assert.isTrue(Option.isSome(two.user))
  return { account_id, changes }
})

export const recordedChangeContract = (it: PeopleKit): void => {
  it.effect("stores the entry of every change with it, and says what only its result shows", () =>
    Effect.gen(function*() {
      const audit = yield* AuditStore
      const { account_id, changes } = yield* everyChange
      for (const { action, added, change, known } of changes) {
        const draft = newDraft(action, known)
        yield* audit.record(change, [draft])
        const { account_id: _, ...entry } = { ...draft, ...added }
        const [newest] = yield* audit.list(account_id, {
          workspaceId: null,
          selection: EVERY_ENTRY,
          after: null,
          limit: 1
        })
        assert.deepStrictEqual(newest, entry, action)
      }
    }))

  it.effect("undoes every change whose entry cannot be stored", () =>
    Effect.gen(function*() {
      const audit = yield* AuditStore
      const { account_id, changes } = yield* everyChange
      const list = audit.list(account_id, { workspaceId: null, selection: EVERY_ENTRY, after: null, limit: 100 })
      for (const { action, change, known } of changes) {
        const draft = newDraft(action, known)
        yield* audit.append({ ...draft, account_id })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(audit.record(change, [draft]))), action)
        // It is made now, as if for the first time.
        yield* audit.record(change, [{ ...draft, entry_id: AuditEntryId.make(newUuid()) }])
      }
      assert.lengthOf(yield* list, 2 * changes.length)
    }))

  it.effect("stores one entry for each thing that a change did", () =>
    Effect.gen(function*() {
      const [audit, people, sessions] = [yield* AuditStore, yield* PeopleStore, yield* SessionStore]
      const { account: { account_id }, owner, shared: { workspace_id } } = yield* freshTeam
      const known = { account_id, workspace_id }
      const both = () => [newDraft("invitation.created", known), newDraft("member.added", known)]
      const invitation = newInvitation()
      yield* audit.record(people.invite(workspace_id, invitation, 9), both())
      yield* people.setOwner(newUser(account_id), moment())
      yield* people.setRole(workspace_id, owner.user_id, null)
      const [link, newcomer] = [yield* linkFor({ invitation_id: invitation.invitation_id }), newUserId()]
      const opened = sessions.signIn(link, newSession(), newHash(), { newUserId: newcomer, maximum: 9 })
      yield* audit.record(opened, [
        newDraft("member.joined", { ...known, subject: newcomer }),
        newDraft("session.started")
      ])
      const again = sessions.signIn(link, newSession(), newHash(), { newUserId: newcomer, maximum: 9 })
      yield* audit.record(again, [newDraft("member.joined", { ...known, subject: newcomer })])
      const entries = yield* audit.list(account_id, {
        workspaceId: null,
        selection: EVERY_ENTRY,
        after: null,
        limit: 9
      })
      assert.deepStrictEqual(entries.map(({ action }) => action), [
        "session.started",
        "member.joined",
        "invitation.created"
      ])
    }))

  it.effect("keeps to an allowance when many recorded changes of an account meet", () =>
    Effect.gen(function*() {
      const [audit, workspaces] = [yield* AuditStore, yield* WorkspaceStore]
      const { account } = yield* freshTeam
      const { account_id } = account
      const added = yield* fiftyTimes(() => {
        const workspace = newWorkspace(account, { kind: "shared" })
        return audit.record(workspaces.createShared(workspace, 3, null), [
          newDraft("workspace.created", { account_id })
        ])
      })
      assert.lengthOf(added.filter((isAdded) => isAdded), 2)
      const list = audit.list(account_id, { workspaceId: null, selection: EVERY_ENTRY, after: null, limit: 9 })
      assert.lengthOf(yield* list, 2)
    }))

  it.effect("stores no entry of a change that is refused", () =>
    Effect.gen(function*() {
      const audit = yield* AuditStore
      const [workspaces, people, connectors] = [yield* WorkspaceStore, yield* PeopleStore, yield* ConnectorStore]
      const { account, owner, shared: { workspace_id } } = yield* freshTeam
      const { account_id } = account
      const connector = newConnector()
      yield* connectors.insert(workspace_id, connector, 9)
      const known = { account_id, workspace_id }
      const refused: ReadonlyArray<readonly [AuditAction, Effect.Effect<unknown, unknown>]> = [
        ["workspace.created", workspaces.createShared(newWorkspace(account, { kind: "shared" }), 1, null)],
        ["api_key.revoked", (yield* ApiKeyStore).revoke(newKey().key_id, null, moment())],
        [
          "connector.created",
          connectors.insert(workspace_id, { ...newConnector(), source_name: connector.source_name }, 9)
        ],
        ["connector.created", connectors.insert(workspace_id, newConnector(), 1)],
        ["connector.changed", connectors.update(workspace_id, newConnector().connector_id, { name: "x" })],
        ["connection.deleted", (yield* ConnectionStore).remove(workspace_id, newConnection().connection_id)],
        [
          "documents.deleted",
          (yield* DocumentStore).remove(
            workspace_id,
            { connector_id: connector.connector_id, external_ids: ["none"] },
            moment(),
            newJob(workspace_id, newQueue())
          )
        ],
        ["member.removed", people.setRole(workspace_id, newUserId(), null)],
        ["member.removed", people.setRole(workspace_id, owner.user_id, null)],
        ["invitation.created", people.invite(workspace_id, newInvitation({ email: owner.email! }), 9)],
        ["invitation.created", people.invite(workspace_id, newInvitation(), 0)],
        ["member.joined", people.join(owner.user_id, { link: newHash() }, moment())],
        ["session.ended", (yield* SessionStore).end(owner.user_id, newSession().session_id)]
      ]
      for (const [action, change] of refused) yield* audit.record(change, [newDraft(action, known)])
      const list = audit.list(account_id, { workspaceId: null, selection: EVERY_ENTRY, after: null, limit: 9 })
      assert.deepStrictEqual(yield* list, [])
    }))
}
