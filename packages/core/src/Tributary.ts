/** The whole service over the ports of a backend. */
import { Layer } from "effect"
import { ApiKeys } from "./people/ApiKeys.ts"
import { Asks } from "./ask/Asks.ts"
import { AuditLog } from "./people/AuditLog.ts"
import { Connections } from "./sync/Connections.ts"
import { Connectors } from "./ingest/Connectors.ts"
import { Documents } from "./ingest/Documents.ts"
import { Ingest } from "./ingest/Ingest.ts"
import { ContextViews } from "./context/ContextViews.ts"
import { VectorSearch } from "./search/VectorSearch.ts"
import { Invitations } from "./people/Invitations.ts"
import { KnowledgeContext } from "./context/KnowledgeContext.ts"
import { Meters } from "./people/Meters.ts"
import { People } from "./people/People.ts"
import { RateLimits } from "./people/RateLimits.ts"
import { Search } from "./search/Search.ts"
import { Sessions } from "./people/Sessions.ts"
import { Syncs } from "./sync/Syncs.ts"
import { SignedInPrograms } from "./people/SignedInPrograms.ts"
import { Tokens } from "./people/Tokens.ts"
import * as Workers from "./jobs/Workers.ts"
import { Workspaces } from "./people/Workspaces.ts"

export { SegmentBudget } from "./context/ContextViews.ts"

const services = Layer.mergeAll(
  ApiKeys.layer,
  Asks.layer,
  AuditLog.layer,
  Connections.layer,
  Connectors.layer,
  Documents.layer,
  Ingest.layer,
  Layer.mergeAll(Invitations.layer, Sessions.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(People.layer, Workspaces.layer))
  ),
  KnowledgeContext.layer,
  Layer.provide(Meters.layer, RateLimits.layer),
  RateLimits.layer,
  Search.layer,
  SignedInPrograms.layer,
  Syncs.layer,
  Tokens.layer
)

/**
 * Every service, and the background work that they rely on. Needs the storage ports, a `TextExtractor`
 * and an `Answerer`. Parts that
 * have a default are replaced by providing them: `IndexBuilder`, `Embedder`, `SegmentCache`, `Providers`.
 */
export const layer = Layer.mergeAll(services, Layer.provide(Workers.layer, Syncs.layer)).pipe(
  Layer.provide(Layer.mergeAll(ContextViews.layer, VectorSearch.layer))
)
