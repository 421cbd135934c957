/** The whole service over the ports of a backend. */
import { Layer } from "effect"
import { ApiKeys } from "./people/ApiKeys.ts"
import { Asks } from "./ask/Asks.ts"
import { AuditLog } from "./people/AuditLog.ts"
import { Connections } from "./sync/Connections.ts"
import { Connectors } from "./ingest/Connectors.ts"
import { Documents } from "./documents/Documents.ts"
import { Ingest } from "./ingest/Ingest.ts"
import { ContextViews } from "./context/ContextViews.ts"
import { Reranking } from "./search/Reranking.ts"
import { VectorSearch } from "./search/VectorSearch.ts"
import { Invitations } from "./people/Invitations.ts"
import { KnowledgeContext } from "./context/KnowledgeContext.ts"
import { Meters } from "./people/Meters.ts"
import { OperatorLog } from "./operators/OperatorLog.ts"
import { Operators } from "./operators/Operators.ts"
import { People } from "./people/People.ts"
import { Questions } from "./ask/Questions.ts"
import { RateLimits } from "./people/RateLimits.ts"
import { ReceivedInvitations } from "./people/ReceivedInvitations.ts"
import { Search } from "./search/Search.ts"
import { Sessions } from "./people/Sessions.ts"
import { Syncs } from "./sync/Syncs.ts"
import { SignedInPrograms } from "./people/SignedInPrograms.ts"
import { Tokens } from "./people/Tokens.ts"
import * as TracedStores from "./internal/tracedStores.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import { UsageLog } from "./usage/UsageLog.ts"
import * as Workers from "./jobs/Workers.ts"
import { Workspaces } from "./people/Workspaces.ts"

export { QuestionLog } from "./ask/Questions.ts"
export { RANKING, Ranking, type RankingMethod } from "./search/Ranking.ts"

const syncs = Layer.provide(Syncs.layer, Connections.layer)

const services = Layer.mergeAll(
  ApiKeys.layer,
  Asks.layer,
  Connections.layer,
  Connectors.layer,
  Documents.layer,
  Ingest.layer,
  KnowledgeContext.layer,
  OperatorLog.layer,
  Operators.layer,
  Layer.provide(Meters.layer, RateLimits.layer),
  Questions.layer,
  RateLimits.layer,
  Search.layer,
  syncs,
  Tokens.layer,
  Webhooks.layer,
  UsageLog.layer,
  Workspaces.layer
)

/** People, their roles and the audit log: needs `PeopleStore`, `SessionStore` and `AuditStore`. */
export const layerPeople = Layer.mergeAll(
  AuditLog.layer,
  Layer.mergeAll(Invitations.layer, Sessions.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(People.layer, Workspaces.layer))
  ),
  ReceivedInvitations.layer,
  SignedInPrograms.layer
).pipe(Layer.provide(TracedStores.layerPeople))

/**
 * Everything without people, including background work: for backends whose workspaces are used only by keys and hosts.
 */
export const layerKnowledge = Layer.mergeAll(
  services,
  Layer.provide(Workers.layer, Layer.mergeAll(Questions.layer, syncs, UsageLog.layer))
).pipe(
  Layer.provide(Layer.mergeAll(ContextViews.layer, Reranking.layer, VectorSearch.layer)),
  Layer.provide(TracedStores.layerKnowledge)
)

/**
 * Every service with its background work. Needs the storage ports, a `TextExtractor` and an `Answerer`. Parts with a
 * default are replaced by providing them: `IndexBuilder`, `Embedder`, `SegmentCache`, `Providers`, `Ranking`.
 */
export const layer = Layer.merge(layerKnowledge, layerPeople)
