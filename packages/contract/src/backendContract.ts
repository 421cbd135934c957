/**
 * The kit that every backend passes: `backendContract("memory", Memory.layer)` registers one suite per port, and
 * `knowledgeContract` the same without the four ports that concern people and operators.
 *
 * The layer is built once, and every test works in a workspace and a queue of its own, so a backend may keep what was
 * stored before. What counts across workspaces (reaping, pruning) is emptied first by the test that counts it, so
 * nothing else may use the same store meanwhile.
 */
import { describe, it } from "@effect/vitest"
import { type Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { apiKeyStoreContract } from "./ApiKeyStoreContract.ts"
import { auditStoreContract } from "./AuditStoreContract.ts"
import { connectionStoreContract } from "./ConnectionStoreContract.ts"
import { connectorStoreContract } from "./ConnectorStoreContract.ts"
import { deletedTextContract } from "./DeletedTextContract.ts"
import { documentAdmissionContract } from "./DocumentAdmissionContract.ts"
import { documentBrowsingContract } from "./DocumentBrowsingContract.ts"
import { documentEventsContract } from "./DocumentEventsContract.ts"
import { documentQuotaContract } from "./DocumentQuotaContract.ts"
import { documentReadingContract } from "./DocumentReadingContract.ts"
import { type Kit, type KnowledgePorts, type PeopleKit, type Ports, StoreClock } from "./internal/Kit.ts"
import { jobLeaseContract } from "./JobLeaseContract.ts"
import { jobQueueContract } from "./JobQueueContract.ts"
import { jobStoreContract } from "./JobStoreContract.ts"
import { knowledgeStoreContract } from "./KnowledgeStoreContract.ts"
import { makersContract } from "./MakersContract.ts"
import { operatorStoreContract } from "./OperatorStoreContract.ts"
import { peopleStoreContract } from "./PeopleStoreContract.ts"
import { questionStoreContract } from "./QuestionStoreContract.ts"
import { rateWindowsContract } from "./RateWindowsContract.ts"
import { receivedInvitationsContract } from "./ReceivedInvitationsContract.ts"
import { sessionStoreContract } from "./SessionStoreContract.ts"
import { snapshotContract } from "./SnapshotContract.ts"
import { webhookStoreContract } from "./WebhookStoreContract.ts"
import { syncRunStoreContract } from "./SyncRunStoreContract.ts"
import { usageStoreContract } from "./UsageStoreContract.ts"
import { workspaceClosingContract } from "./WorkspaceClosingContract.ts"
import { workspaceStoreContract } from "./WorkspaceStoreContract.ts"

export interface BackendOptions<R> {
  /**
   * Lets this much time pass on the clock by which the backend measures leases and windows. By default the tests'
   * own clock is moved. A backend with a clock elsewhere, such as a database's, moves that one; moving every stored
   * end of a lease or window back by `duration` is the same. Minutes pass in the tests, so waiting will not do.
   */
  readonly advance?: (duration: Duration.Input) => Effect.Effect<unknown, unknown, R>
  /** How long the layer may take to build. */
  readonly timeout?: Duration.Input
}

const suitesOfKnowledge = (it: Kit): void => {
  describe("WorkspaceStore", () => {
    workspaceStoreContract(it)
    workspaceClosingContract(it)
  })
  describe("ApiKeyStore", () => {
    apiKeyStoreContract(it)
    makersContract(it)
  })
  describe("ConnectionStore", () => connectionStoreContract(it))
  describe("ConnectorStore", () => connectorStoreContract(it))
  describe("DocumentStore", () => {
    documentAdmissionContract(it)
    documentQuotaContract(it)
    documentReadingContract(it)
    documentBrowsingContract(it)
    documentEventsContract(it)
  })
  describe("KnowledgeStore", () => {
    knowledgeStoreContract(it)
    snapshotContract(it)
    deletedTextContract(it)
  })
  describe("JobStore", () => {
    jobStoreContract(it)
    jobQueueContract(it)
    jobLeaseContract(it)
  })
  describe("RateWindows", () => rateWindowsContract(it))
}

const suitesOfPeople = (it: PeopleKit): void => {
  describe("PeopleStore", () => {
    peopleStoreContract(it)
    receivedInvitationsContract(it)
  })
  describe("SessionStore", () => sessionStoreContract(it))
  describe("AuditStore", () => auditStoreContract(it))
  describe("OperatorStore", () => operatorStoreContract(it))
}

/** What a backend that keeps no history does not pass. */
const suitesOfHistory = (it: Kit): void => {
  describe("SyncRunStore", () => syncRunStoreContract(it))
  describe("UsageStore", () => usageStoreContract(it))
  describe("QuestionStore", () => questionStoreContract(it))
}

const withClock = <P, E, R>(layer: Layer.Layer<P | R, E>, advance: Required<BackendOptions<R>>["advance"]) =>
  Layer.provideMerge(
    Layer.effect(
      StoreClock,
      Effect.map(Effect.context<R>(), (context) =>
        StoreClock.of({
          advance: (duration) => Effect.asVoid(Effect.orDie(Effect.provideContext(advance(duration), context)))
        }))
    ),
    layer
  )

/** For a backend that keeps no people: nobody signs in, and workspaces are used by keys and by the host. */
export const knowledgeContract = <E, R = never>(
  name: string,
  layer: Layer.Layer<KnowledgePorts | R, E>,
  { advance = TestClock.adjust, timeout = "60 seconds" }: BackendOptions<R> = {}
): void => it.layer(withClock<KnowledgePorts, E, R>(layer, advance), { timeout })(name, suitesOfKnowledge)

export const backendContract = <E, R = never>(
  name: string,
  layer: Layer.Layer<Ports | R, E>,
  { advance = TestClock.adjust, timeout = "60 seconds" }: BackendOptions<R> = {}
): void =>
  it.layer(withClock<Ports, E, R>(layer, advance), { timeout })(name, (it) => {
    suitesOfKnowledge(it)
    suitesOfPeople(it)
    describe("WebhookStore", () => webhookStoreContract(it))
    suitesOfHistory(it)
  })
