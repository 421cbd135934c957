/**
 * Every port on Postgres 15 or newer, through a `SqlClient` that the host brings.
 *
 * All tables live in one schema, and every name in a statement is qualified with it: the host's pool is used as it is.
 * A client that can listen (`PgClient`) gives up one of its connections to hear of jobs, so its pool needs two or more.
 */
import { Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { endLeases } from "./internal/endLeases.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { check, migrate } from "./internal/migrate.ts"
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
  /** Where all tables live; it is made when it is absent. `tributary` by default. */
  readonly schema?: string
  /**
   * "check" changes nothing, for a role that may not: a schema that lacks a migration is refused. A step of the
   * deployment takes them with `layerMigrations`, as a role that may. "auto" by default.
   */
  readonly migrate?: "auto" | "check"
  /** No other process uses the schema: what an earlier one was running is taken up at once, not when its lease ends. */
  readonly alone?: boolean
}

// The layers below are one value each, whatever schema they are for: shared by their identity, two schemas would
// become one.
const migrated = Layer.effectDiscard(migrate(migrations))
const checked = Layer.effectDiscard(check(migrations))

/** Brings the schema up to date. Use it alone when a step of a deployment migrates before the servers start. */
export const layerMigrations = ({ schema = "tributary" }: PostgresOptions = {}) =>
  Layer.fresh(Layer.provide(migrated, Database.layer(schema)))

/** Every port, on a schema that is brought up to date first. */
export const layer = ({ alone = false, migrate = "auto", schema = "tributary" }: PostgresOptions = {}) => {
  const current = migrate === "check" ? checked : migrated
  return Layer.mergeAll(
    PostgresWorkspaceStore.layer,
    PostgresApiKeyStore.layer,
    PostgresConnectionStore.layer,
    PostgresConnectorStore.layer,
    PostgresDocumentStore.layer,
    PostgresKnowledgeStore.layer,
    PostgresJobStore.layer,
    PostgresRateWindows.layer,
    PostgresPeopleStore.layer,
    PostgresSessionStore.layer,
    PostgresSyncRunStore.layer,
    PostgresUsageStore.layer,
    PostgresAuditStore.layer,
    PostgresQuestionStore.layer,
    PostgresWebhookStore.layer,
    PostgresOperatorStore.layer
  ).pipe(
    Layer.provide(JobSignal.layer),
    Layer.provide(alone ? Layer.provide(Layer.effectDiscard(endLeases), current) : current),
    Layer.provide(Database.layer(schema)),
    Layer.fresh
  )
}
