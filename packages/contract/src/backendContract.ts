/**
 * The kit for backends: `backendContract("memory", Memory.layer)` registers one suite per port, and `knowledgeContract`
 * the same without the ports for people and operators, webhooks and history.
 *
 * The layer is built once, and every test uses its own workspace and queue, so a backend may contain earlier data.
 * Tests that count across workspaces (reaping, pruning) empty the store first, so nothing else may use it at the same
 * time.
 */
import { describe, it } from "@effect/vitest"
import { type Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { apiKeyStoreContract } from "./ApiKeyStoreContract.ts"
import { attemptContract, deliveryAttemptContract } from "./AttemptContract.ts"
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
import { keyLineageContract } from "./KeyLineageContract.ts"
import { operatorStoreContract } from "./OperatorStoreContract.ts"
import { peopleStoreContract } from "./PeopleStoreContract.ts"
import { questionStoreContract } from "./QuestionStoreContract.ts"
import { rateWindowsContract } from "./RateWindowsContract.ts"
import { recordedChangeContract } from "./RecordedChangeContract.ts"
import { receivedInvitationsContract } from "./ReceivedInvitationsContract.ts"
import { sessionStoreContract } from "./SessionStoreContract.ts"
import { signInContract } from "./SignInContract.ts"
import { snapshotContract } from "./SnapshotContract.ts"
import { webhookStoreContract } from "./WebhookStoreContract.ts"
import { syncRunStoreContract } from "./SyncRunStoreContract.ts"
import { usageStoreContract } from "./UsageStoreContract.ts"
import { workspaceClosingContract } from "./WorkspaceClosingContract.ts"
import { workspaceStoreContract } from "./WorkspaceStoreContract.ts"

export interface BackendOptions<R> {
  /**
   * Advances the clock that the backend uses for leases and windows. The default advances the test clock. For a backend
   * with another clock, such as a database's, advance that one, or move every stored end of a lease or window back by
   * `duration`. The tests advance by minutes, so sleeping is not an option.
   */
  readonly advance?: (duration: Duration.Input) => Effect.Effect<unknown, unknown, R>
  /** The timeout for building the layer. */
  readonly timeout?: Duration.Input
}

const suitesOfKnowledge = (it: Kit): void => {
  describe("WorkspaceStore", () => {
    workspaceStoreContract(it)
    workspaceClosingContract(it)
  })
  describe("ApiKeyStore", () => {
    apiKeyStoreContract(it)
    keyLineageContract(it)
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
    attemptContract(it)
  })
  describe("RateWindows", () => rateWindowsContract(it))
}

const suitesOfPeople = (it: PeopleKit): void => {
  describe("PeopleStore", () => {
    peopleStoreContract(it)
    receivedInvitationsContract(it)
  })
  describe("SessionStore", () => {
    sessionStoreContract(it)
    signInContract(it)
  })
  describe("AuditStore", () => {
    auditStoreContract(it)
    recordedChangeContract(it)
  })
  describe("OperatorStore", () => operatorStoreContract(it))
}

/** The suites that a backend without history skips. */
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

/** For a backend without people: nobody signs in, and programs use keys or the host. */
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
    describe("WebhookStore", () => {
      webhookStoreContract(it)
      deliveryAttemptContract(it)
    })
    suitesOfHistory(it)
  })
