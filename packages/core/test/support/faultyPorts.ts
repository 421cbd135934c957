/** Ports whose calls fail, are lost or wait, as a test says: one server's view of a store. */
import { Arbitrary, Context, Effect, Fiber, Layer, Predicate, Schedule, Schema } from "effect"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { ApiKeyStore } from "../../src/ports/ApiKeyStore.ts"
import { AuditStore } from "../../src/ports/AuditStore.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { ConnectorStore } from "../../src/ports/ConnectorStore.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { QuestionStore } from "../../src/ports/QuestionStore.ts"
import { SyncRunStore } from "../../src/ports/SyncRunStore.ts"
import { UsageStore } from "../../src/ports/UsageStore.ts"
import { WebhookStore } from "../../src/ports/WebhookStore.ts"
import { WorkspaceStore } from "../../src/ports/WorkspaceStore.ts"
import { integerBelow } from "./integerBelow.ts"
import { intercepted } from "./intercepted.ts"
import { settle } from "./wholeService.ts"

/** What happens to a call: it fails, it is done and its answer lost, or it waits before it is done. */
export type Fault = "fails" | "is lost" | "waits"

/** Faults of the next calls. `calls`: how many calls of any server come before it. */
export const someFaults = Arbitrary.array(
  Arbitrary.all({
    calls: integerBelow(40),
    fault: Arbitrary.schema(Schema.Literals(["fails", "fails", "is lost", "is lost", "waits"]))
  }),
  { maxLength: 6 }
)
type Planned = typeof someFaults extends Arbitrary.Arbitrary<infer A> ? A : never

export const newFaults = () => {
  let planned: Array<{ calls: number; readonly fault: Fault }> = []
  return {
    plan: (faults: Planned) => {
      planned = faults.map((one) => ({ ...one }))
    },
    next: (): Fault | null => {
      let taken: Fault | null = null
      planned = planned.filter((one) => {
        if (one.calls-- > 0) return true
        taken ??= one.fault
        return false
      })
      return taken
    }
  }
}

/** As a client does: again until it knows. Time passes meanwhile. */
export const insist = Effect.fnUntraced(function*<A, E, R>(act: Effect.Effect<A, E, R>) {
  const insisting = yield* act.pipe(
    Effect.retry({
      times: 20,
      schedule: Schedule.spaced("1 second"),
      while: (error) => Predicate.isTagged(error, "StorageUnavailable")
    }),
    Effect.exit,
    Effect.forkChild({ startImmediately: true })
  )
  while (insisting.pollUnsafe() === undefined) yield* settle(1)
  return yield* Fiber.join(insisting)
})

const unavailable = new StorageUnavailable({ cause: "a fault" })

const applied = <A, E, R>(call: Effect.Effect<A, E, R>, fault: Fault | null) => {
  switch (fault) {
    case null:
      return call
    case "fails":
      return Effect.fail(unavailable)
    case "is lost":
      return Effect.andThen(call, Effect.fail(unavailable))
    case "waits":
      return Effect.delay(call, "5 seconds")
  }
}

/** Within a recorded change, which is one act: it has no faults of its own. */
const IsRecorded = Context.Reference<boolean>("@tributary/core/test/IsRecorded", { defaultValue: () => false })

/** `next` decides about each call by its name, such as `JobStore.claim`, after what it does first. */
export const faultyPorts = (next: (name: string) => Effect.Effect<Fault | null>) => {
  const faulty = <S extends object>(port: string, store: S): S =>
    intercepted(store, (name, call) => {
      if (name === "changed") return call
      const act = name === "record" ? Effect.provideService(call, IsRecorded, true) : call
      const withFault = Effect.flatMap(next(`${port}.${name}`), (fault) => applied(act, fault))
      return Effect.flatMap(IsRecorded, (isRecorded) => isRecorded ? call : withFault)
    })
  return Layer.effectContext(Effect.gen(function*() {
    return Context.mergeAll(
      Context.make(ApiKeyStore, faulty("ApiKeyStore", yield* ApiKeyStore)),
      Context.make(AuditStore, faulty("AuditStore", yield* AuditStore)),
      Context.make(ConnectionStore, faulty("ConnectionStore", yield* ConnectionStore)),
      Context.make(ConnectorStore, faulty("ConnectorStore", yield* ConnectorStore)),
      Context.make(DocumentStore, faulty("DocumentStore", yield* DocumentStore)),
      Context.make(JobStore, faulty("JobStore", yield* JobStore)),
      Context.make(KnowledgeStore, faulty("KnowledgeStore", yield* KnowledgeStore)),
      Context.make(QuestionStore, faulty("QuestionStore", yield* QuestionStore)),
      Context.make(SyncRunStore, faulty("SyncRunStore", yield* SyncRunStore)),
      Context.make(UsageStore, faulty("UsageStore", yield* UsageStore)),
      Context.make(WebhookStore, faulty("WebhookStore", yield* WebhookStore)),
      Context.make(WorkspaceStore, faulty("WorkspaceStore", yield* WorkspaceStore))
    )
  }))
}
