/** The whole service over the ports of a backend. */
import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import { Asks } from "./Asks.ts"
import { AuditLog } from "./AuditLog.ts"
import { Connections } from "./Connections.ts"
import { Connectors } from "./Connectors.ts"
import { Documents } from "./Documents.ts"
import * as ExtractiveAnswerer from "./ExtractiveAnswerer.ts"
import { Ingest } from "./Ingest.ts"
import { ContextViews } from "./internal/ContextViews.ts"
import { Meaning } from "./internal/Meaning.ts"
import { Invitations } from "./Invitations.ts"
import { KnowledgeContext } from "./KnowledgeContext.ts"
import { Meters } from "./Meters.ts"
import { People } from "./People.ts"
import { IndexBuilder } from "./ports/IndexBuilder.ts"
import { RateLimits } from "./RateLimits.ts"
import { Search } from "./Search.ts"
import { Sessions } from "./Sessions.ts"
import { Syncs } from "./Syncs.ts"
import * as Workers from "./Workers.ts"
import { Workspaces } from "./Workspaces.ts"

export { SegmentBudget } from "./internal/ContextViews.ts"

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
  Syncs.layer
)

/** As `layer`, where the host provides an `IndexBuilder`. */
export const layerWithoutBuilder = Layer.mergeAll(services, Layer.provide(Workers.layer, Syncs.layer)).pipe(
  Layer.provide(Layer.mergeAll(ContextViews.layer, Meaning.layer)),
  Layer.provide(ExtractiveAnswerer.layer)
)

/**
 * Every service, and the background work that they rely on. Needs the storage ports and a `TextExtractor`; answers
 * are extractive and indexes are built in the calling thread.
 */
export const layer = Layer.provide(layerWithoutBuilder, IndexBuilder.layer)
