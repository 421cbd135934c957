/** The configured storage with its ports, its description, and operations that only some kinds support. */
import type { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import type { WebhookStore } from "@tributary/core/ports/WebhookStore"
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
import type { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Exchange } from "../transport/Exchange.ts"

export class Store extends Context.Service<Store, {
  /** Where data is kept, for the start message. */
  readonly place: string
  /** Initialization takes a lock, because several servers may find the same store empty. */
  readonly alone: <A, E, R>(task: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Answers commands of this machine without HTTP until the scope closes. */
  readonly answerCommands: (exchange: Exchange) => Effect.Effect<void, never, Scope.Scope>
}>()("@tributary/server/Store") {}

/** Every port of the core that a kind of storage provides. */
export type Ports =
  | ApiKeyStore
  | AuditStore
  | WebhookStore
  | ConnectionStore
  | ConnectorStore
  | DocumentStore
  | JobStore
  | KnowledgeStore
  | OperatorStore
  | PeopleStore
  | RateWindows
  | SessionStore
  | WorkspaceStore
