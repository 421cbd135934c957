/**
 * Every port on Postgres 15 or newer, through the host's `SqlClient`.
 *
 * All tables are in one schema, and every name in a statement is qualified with it, so the host's pool is used
 * unchanged. A client that can listen (`PgClient`) uses one of its connections to listen for jobs, so its pool needs
 * two or more.
 */
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { QuestionStore } from "@tributary/core/ports/QuestionStore"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import { UsageStore } from "@tributary/core/ports/UsageStore"
import { WebhookStore } from "@tributary/core/ports/WebhookStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { endLeases } from "./internal/endLeases.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { checkRowSecurity } from "./internal/checkRowSecurity.ts"
import { check, migrate } from "./internal/migrating/migrate.ts"
import * as RowSecurity from "./internal/RowSecurity.ts"
import * as scopes from "./internal/rowScopes.ts"
import { migrations } from "./migrations/index.ts"
import * as PostgresApiKeyStore from "./PostgresApiKeyStore.ts"
import * as PostgresAuditStore from "./PostgresAuditStore.ts"
import * as PostgresConnectionStore from "./PostgresConnectionStore.ts"
import * as PostgresConnectorStore from "./PostgresConnectorStore.ts"
import * as PostgresDocumentStore from "./PostgresDocumentStore.ts"
import * as PostgresJobStore from "./PostgresJobStore.ts"
import * as PostgresKnowledgeStore from "./PostgresKnowledgeStore.ts"
import * as PostgresOperatorStore from "./PostgresOperatorStore.ts"
import * as PostgresPeopleStore from "./PostgresPeopleStore.ts"
import * as PostgresQuestionStore from "./PostgresQuestionStore.ts"
import * as PostgresRateWindows from "./PostgresRateWindows.ts"
import * as PostgresSessionStore from "./PostgresSessionStore.ts"
import * as PostgresWebhookStore from "./PostgresWebhookStore.ts"
import * as PostgresSyncRunStore from "./PostgresSyncRunStore.ts"
import * as PostgresUsageStore from "./PostgresUsageStore.ts"
import * as PostgresWorkspaceStore from "./PostgresWorkspaceStore.ts"

export interface PostgresOptions {
  /** The schema of all tables; it is created if it does not exist. `tributary` by default. */
  readonly schema?: string
  /**
   * "check" changes nothing, for a role that may not: a schema that lacks a migration is refused. A step of the
   * deployment takes them with `layerMigrations`, as a role that may. "auto" by default.
   */
  readonly migrate?: "auto" | "check"
  /** No other process uses the schema: what an earlier one was running is taken up at once, not when its lease ends. */
  readonly alone?: boolean
  /**
   * The role in which the server works across workspaces, where row-level security is switched on (docs/operate.md):
   * all else then acts on the rows of one workspace. It stays in force to the end of a transaction, so the ports are not
   * called within one of the host's.
   */
  readonly systemRole?: string | undefined
}

// Layers are memoized by identity: without `Layer.fresh`, two schemas would share these.
const migrated = Layer.effectDiscard(migrate(migrations))
const checked = Layer.effectDiscard(check(migrations))
const securityChecked = Layer.effectDiscard(checkRowSecurity)
const freed = Layer.effectDiscard(RowSecurity.acrossWorkspaces(endLeases))

/** Brings the schema up to date. Use it alone when a step of a deployment migrates before the servers start. */
export const layerMigrations = ({ schema = "tributary" }: PostgresOptions = {}) =>
  Layer.fresh(Layer.provide(migrated, Database.layer(schema)))

/** Every port, on a schema that is brought up to date first. */
export const layer = ({ alone = false, migrate = "auto", schema = "tributary", systemRole }: PostgresOptions = {}) => {
  const current = Layer.provide(securityChecked, migrate === "check" ? checked : migrated)
  return Layer.mergeAll(
    RowSecurity.layer(WorkspaceStore, PostgresWorkspaceStore.layer, scopes.workspaces),
    RowSecurity.layer(ApiKeyStore, PostgresApiKeyStore.layer, scopes.apiKeys),
    RowSecurity.layer(ConnectionStore, PostgresConnectionStore.layer, scopes.connections),
    RowSecurity.layer(ConnectorStore, PostgresConnectorStore.layer, scopes.connectors),
    RowSecurity.layer(DocumentStore, PostgresDocumentStore.layer, scopes.documents),
    RowSecurity.layer(KnowledgeStore, PostgresKnowledgeStore.layer, scopes.knowledge),
    RowSecurity.layer(JobStore, PostgresJobStore.layer, scopes.jobs),
    RowSecurity.layer(RateWindows, PostgresRateWindows.layer, scopes.rateWindows),
    RowSecurity.layer(PeopleStore, PostgresPeopleStore.layer, scopes.people),
    RowSecurity.layer(SessionStore, PostgresSessionStore.layer, scopes.sessions),
    RowSecurity.layer(SyncRunStore, PostgresSyncRunStore.layer, scopes.syncRuns),
    RowSecurity.layer(UsageStore, PostgresUsageStore.layer, scopes.usage),
    RowSecurity.layer(AuditStore, PostgresAuditStore.layer, scopes.audit),
    RowSecurity.layer(QuestionStore, PostgresQuestionStore.layer, scopes.questions),
    RowSecurity.layer(WebhookStore, PostgresWebhookStore.layer, scopes.webhooks),
    PostgresOperatorStore.layer
  ).pipe(
    Layer.provide(JobSignal.layer),
    Layer.provide(alone ? Layer.provide(freed, current) : current),
    Layer.provide(Database.layer(schema, systemRole ?? null)),
    Layer.fresh
  )
}
