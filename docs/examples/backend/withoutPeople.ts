/** A backend that keeps no people: eight ports, here those of memory. */
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Layer } from "effect"

const ports = [
  ApiKeyStore,
  ConnectionStore,
  ConnectorStore,
  DocumentStore,
  JobStore,
  KnowledgeStore,
  RateWindows,
  WorkspaceStore
] as const

export const layer = Layer.effectContext(
  Effect.map(Effect.context<Layer.Success<typeof Memory.layer>>(), Context.pick(...ports))
).pipe(Layer.provide(Memory.layer))
