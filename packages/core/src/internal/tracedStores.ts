/** A span for what is asked of the storage, whichever that is: `DocumentStore.admit`. */
import { type Context, Effect, Fiber, Layer, Tracer } from "effect"
import { isCollected } from "./collectedTraces.ts"
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
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

/** Decided by who calls, since most calls are in no trace that is sent, and cost no more then than without this. */
const inSpan = (call: Effect.Effect<unknown, unknown, unknown>, name: string): unknown => {
  const fiber = Fiber.getCurrent()
  return fiber !== undefined && isCollected(fiber) && fiber.cache.span?.sampled === true
    ? Effect.withSpan(call, name, { kind: "client", captureStackTrace: false })
    : call
}

/** A store of another form than ours, such as an instance of a class, stays as it is. */
const spanned = <Store extends object>(store: Store, name: string): Store => {
  if (Object.getPrototypeOf(store) !== Object.prototype) return store
  const methods = Object.entries(store).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== "function") return []
    const method = (...args: ReadonlyArray<unknown>): unknown => {
      const called: unknown = Reflect.apply(value, store, args)
      return Effect.isEffect(called) ? inSpan(called, `${name}.${key}`) : called
    }
    return [[key, method]]
  })
  return { ...store, ...Object.fromEntries(methods) }
}

const traced = <Id, Store extends object>(port: Context.Key<Id, Store>, name: string) =>
  Layer.effect(
    port,
    Effect.map(
      Effect.all([Effect.service(port), Tracer.Tracer]),
      ([store, tracer]) => tracer === Tracer.nativeTracer ? store : spanned(store, name)
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
