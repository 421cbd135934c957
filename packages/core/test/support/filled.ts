/** A workspace that holds some documents, without the background work: half a century of ticks of the clock. */
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Memory from "@tributary/memory/Memory"
import { Asks } from "../../src/Asks.ts"
import { Connectors } from "../../src/Connectors.ts"
import * as ExtractiveAnswerer from "../../src/ExtractiveAnswerer.ts"
import { Documents } from "../../src/Documents.ts"
import { Ingest } from "../../src/Ingest.ts"
import { ContextViews } from "../../src/internal/ContextViews.ts"
import { Meaning } from "../../src/internal/Meaning.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { IndexBuilder } from "../../src/ports/IndexBuilder.ts"
import { TextExtractor } from "../../src/ports/TextExtractor.ts"
import { Search } from "../../src/Search.ts"
import { Workspaces } from "../../src/Workspaces.ts"
import { NOW, type Written } from "./written.ts"

const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content })
})

export const service = Layer.mergeAll(
  Asks.layer,
  Connectors.layer,
  Documents.layer,
  Ingest.layer,
  Search.layer,
  Workspaces.layer
).pipe(
  Layer.provide(Layer.mergeAll(ContextViews.layer, Meaning.layer)),
  Layer.provide(Layer.mergeAll(ExtractiveAnswerer.layer, IndexBuilder.layer, extractor)),
  Layer.provide(Memory.layer)
)

export const filled = Effect.fnUntraced(function*(documents: ReadonlyArray<Written>) {
  yield* TestClock.setTime(NOW.getTime())
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Orrery", tier: "pro" })
  const { connector_id } = yield* (yield* Connectors).create(
    personal_workspace.workspace_id,
    { name: "Everything", source_name: "everything" },
    OPERATOR
  )
  yield* (yield* Ingest).typed(personal_workspace, connector_id, documents)
  return personal_workspace.workspace_id
})
