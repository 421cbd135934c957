/** A span for what is asked of the storage, whichever that is: `DocumentStore.admit`. */
import { type Context, Effect, Layer, Tracer } from "effect"
import { traceMethods } from "./collectedTraces.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"
import { AuditStore } from "../ports/AuditStore.ts"
import { ConnectionStore } from "../ports/ConnectionStore.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import { KnowledgeStore } from "../ports/KnowledgeStore.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"
import { RateWindows } from "../ports/RateWindows.ts"
import { SessionStore } from "../ports/SessionStore.ts"
import { TraceSampling } from "../ports/TraceSampling.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

/** A store of another form than ours, such as an instance of a class, stays as it is. */
const isOurs = (store: object): boolean => Object.getPrototypeOf(store) === Object.prototype

const traced = <Id, Store extends object>(port: Context.Key<Id, Store>, name: string) =>
  Layer.effect(
    port,
    Effect.map(
      Effect.all([Effect.service(port), Tracer.Tracer, TraceSampling]),
      ([store, tracer, sampling]) =>
        (tracer === Tracer.nativeTracer && sampling === null) || !isOurs(store)
          ? store
          : traceMethods(store, name, "client")
    )
  )

export const layerKnowledge = Layer.mergeAll(
  traced(ApiKeyStore, "ApiKeyStore"),
  traced(ConnectionStore, "ConnectionStore"),
  traced(ConnectorStore, "ConnectorStore"),
  traced(DocumentStore, "DocumentStore"),
  traced(JobStore, "JobStore"),
  traced(KnowledgeStore, "KnowledgeStore"),
  traced(RateWindows, "RateWindows"),
  traced(WorkspaceStore, "WorkspaceStore")
)

export const layerPeople = Layer.mergeAll(
  traced(AuditStore, "AuditStore"),
  traced(PeopleStore, "PeopleStore"),
  traced(SessionStore, "SessionStore"),
  traced(WorkspaceStore, "WorkspaceStore")
)
