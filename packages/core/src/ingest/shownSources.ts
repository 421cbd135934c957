/** Which sources a token with a filter sees. */
import { Effect } from "effect"
import type { ConnectorId, WorkspaceId } from "../model/Id.ts"
import { showsSource } from "../model/Token.ts"
import { Narrowed } from "../people/Narrowed.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import { storedFilter } from "./browseDocuments.ts"

/** Sources that are looked into side by side. */
const AT_A_TIME = 4

const EVERYTHING = { from: -Infinity, to: Infinity }

/**
 * Those that the filter names, and those that hold a document which it shows: a filter may name a kind, or no source at
 * all. Connections are sources as connectors are.
 */
export const shownSources = Effect.fnUntraced(function*<Source>(
  documents: DocumentStore["Service"],
  workspaceId: WorkspaceId,
  sources: ReadonlyArray<Source>,
  sourceOf: (source: Source) => string,
  idOf: (source: Source) => ConnectorId
) {
  const narrowed = yield* Narrowed
  if (narrowed === null) return sources
  return yield* Effect.filter(
    sources,
    (source) => {
      if (showsSource(narrowed, sourceOf(source))) return Effect.succeed(true)
      const filter = storedFilter({ connector_id: idOf(source) }, EVERYTHING, narrowed)
      return filter === null
        ? Effect.succeed(false)
        : Effect.map(documents.countMatching(workspaceId, filter, 1), (count) => count > 0)
    },
    { concurrency: AT_A_TIME }
  )
})
