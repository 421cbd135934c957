/** The services that every suite of the kit uses. */
import type { Vitest } from "@effect/vitest"
import type { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import type { AuditStore } from "@tributary/core/ports/AuditStore"
import type { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import type { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import type { DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { JobStore } from "@tributary/core/ports/JobStore"
import type { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import type { OperatorStore } from "@tributary/core/ports/OperatorStore"
import type { PeopleStore } from "@tributary/core/ports/PeopleStore"
import type { RateWindows } from "@tributary/core/ports/RateWindows"
import type { SessionStore } from "@tributary/core/ports/SessionStore"
import type { WebhookStore } from "@tributary/core/ports/WebhookStore"
import type { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Context, type Duration, type Effect } from "effect"

/** The ports of every backend. */
export type KnowledgePorts =
  | WorkspaceStore
  | ApiKeyStore
  | ConnectionStore
  | ConnectorStore
  | DocumentStore
  | KnowledgeStore
  | JobStore
  | RateWindows

/** The ports of a backend for people who sign in. */
type PeoplePorts =
  | PeopleStore
  | SessionStore
  | AuditStore
  | OperatorStore

export type Ports = KnowledgePorts | PeoplePorts | WebhookStore

/** The clock by which the backend measures leases and windows. */
export class StoreClock extends Context.Service<StoreClock, {
  advance(duration: Duration.Input): Effect.Effect<void>
}>()("@tributary/contract/StoreClock") {}

/** Registers tests that share one backend. */
export type Kit = Vitest.MethodsNonLive<KnowledgePorts | StoreClock>

/** The same, of a backend that keeps people, and webhooks. */
export type PeopleKit = Vitest.MethodsNonLive<Ports | StoreClock>

/** The number of runs of a property: a backend may answer over a network. */
export const RUNS = { arbitrary: { runs: 25 } }
