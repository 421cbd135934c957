/** A workspace with one connector, and items to send through it. */
import { type AccountId, AuditEntryId, type ConnectorId, UserId, type WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { type Admission, DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import * as Fixtures from "../../../contract/src/internal/fixtures.ts"

export { item, newUuid } from "../../../contract/src/internal/fixtures.ts"

export const NOW = Fixtures.moment()

/** A job that builds the context. */
export const newJob = (workspaceId: WorkspaceId, fields?: Partial<NewJob>): NewJob =>
  Fixtures.newJob(workspaceId, "context", { key: workspaceId, joins: true, ...fields })

export interface Source {
  readonly accountId: AccountId
  readonly workspaceId: WorkspaceId
  readonly connectorId: ConnectorId
}

export const newSource = Effect.gen(function*() {
  const account = { ...Fixtures.newAccount(), tier: "pro" as const }
  const workspace = Fixtures.newWorkspace(account)
  yield* (yield* WorkspaceStore).createAccount(account, workspace)
  const connector = Fixtures.newConnector({ source_name: "wiki", created_by: OPERATOR })
  yield* (yield* ConnectorStore).insert(workspace.workspace_id, connector, 10)
  const source: Source = {
    accountId: account.account_id,
    workspaceId: workspace.workspace_id,
    connectorId: connector.connector_id
  }
  return source
})

/** An owner who is signed in, an invited person, and an entry in the audit log. */
export const furnishPeople = Effect.fnUntraced(function*({ accountId, workspaceId }: Source) {
  const [people, sessions, audit] = [yield* PeopleStore, yield* SessionStore, yield* AuditStore]
  const expires_at = new Date(NOW.getTime() + 86_400_000)
  const owner = Option.getOrThrow(yield* people.owner(Fixtures.newUser(accountId)))
  const link = Fixtures.newHash()
  yield* people.addLink(link, { user_id: owner.user_id }, expires_at)
  const newUserId = UserId.make(Fixtures.newUuid())
  yield* sessions.signIn(link, Fixtures.newSession({ expires_at }), Fixtures.newHash(), { newUserId, maximum: 9 })
  yield* people.invite(workspaceId, Fixtures.newInvitation({ email: "bob@example.com", expires_at }), 10)
  yield* audit.append({
    entry_id: AuditEntryId.make(Fixtures.newUuid()),
    account_id: accountId,
    action: "workspace.renamed",
    actor: OPERATOR,
    workspace_id: workspaceId,
    subject: workspaceId,
    details: {},
    address: null,
    created_at: NOW
  })
  return owner
})

/** The statuses of the items. */
export const admit = Effect.fnUntraced(function*(
  source: Omit<Source, "accountId">,
  items: ReadonlyArray<Admission>,
  caps = Fixtures.UNCAPPED
) {
  const origin = { connector_id: source.connectorId, source: "custom:wiki" }
  const documents = yield* DocumentStore
  const options = { caps, now: NOW, follow: newJob(source.workspaceId) }
  const verdicts = yield* documents.admit(source.workspaceId, origin, items, options)
  return (verdicts === "behind" ? [] : verdicts ?? []).map(({ status }) => status)
})

export const remove = Effect.fnUntraced(
  function*({ connectorId, workspaceId }: Source, external_ids: ReadonlyArray<string>) {
    const documents = yield* DocumentStore
    return yield* documents.remove(workspaceId, { connector_id: connectorId, external_ids }, NOW, newJob(workspaceId))
  }
)
