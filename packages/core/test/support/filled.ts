/** A workspace that holds some documents, without the background work: half a century of ticks of the clock. */
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "@tributary/memory/Memory"
import { Asks } from "../../src/ask/Asks.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { ContextViews } from "../../src/context/ContextViews.ts"
import { Reranking } from "../../src/search/Reranking.ts"
import { VectorSearch } from "../../src/search/VectorSearch.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import type { Answerer } from "../../src/ports/Answerer.ts"
import { Search } from "../../src/search/Search.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { NOW, type Written } from "./written.ts"
import { extractor } from "./wholeService.ts"

export const serviceOn = (storage: typeof Memory.layer, answerer: Layer.Layer<Answerer>) =>
  Layer.mergeAll(
    Asks.layer,
    Connectors.layer,
    Documents.layer,
    Ingest.layer,
    Search.layer,
    Workspaces.layer
  ).pipe(
    Layer.provide(Layer.mergeAll(ContextViews.layer, Reranking.layer, VectorSearch.layer)),
    Layer.provide(Layer.mergeAll(answerer, extractor)),
    Layer.provide(storage)
  )

export const serviceWith = (answerer: Layer.Layer<Answerer>) => serviceOn(Memory.layer, answerer)

export const service = serviceWith(ExtractiveAnswerer.layer)

export const filled = Effect.fnUntraced(function*(documents: ReadonlyArray<Written>) {
  yield* TestClock.setTime(NOW.getTime())
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Orrery", tier: "pro" })
  const { connector_id } = yield* (yield* Connectors).create(
    personal_workspace,
    { name: "Everything", source_name: "everything" },
    OPERATOR
  )
  yield* (yield* Ingest).typed(personal_workspace, connector_id, documents)
  return personal_workspace.workspace_id
})
