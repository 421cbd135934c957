/** Which sources a token with a filter sees. */
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { showsSource } from "../model/Token.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import type { DocumentSource, DocumentStore } from "../ports/DocumentStore.ts"
import { shownOf } from "../documents/documentSelection.ts"

/** Sources that are looked into side by side. */
const CONCURRENCY = 4

/**
 * Those that the filter names, and those that hold a document which it shows: a filter may name a kind, or no source at
 * all. Connections are sources as connectors are.
 */
export const shownSources = Effect.fnUntraced(function*<A>(
  documents: DocumentStore["Service"],
  workspaceId: WorkspaceId,
  all: ReadonlyArray<A>,
  originOf: (one: A) => DocumentSource
) {
  const tokenFilter = yield* CurrentTokenFilter
  if (tokenFilter === null) return all
  return yield* Effect.filter(
    all,
    (one) => {
      const { connector_id, source } = originOf(one)
      return showsSource(tokenFilter, source)
        ? Effect.succeed(true)
        : Effect.map(documents.countMatching(workspaceId, shownOf(connector_id, tokenFilter), 1), (count) => count > 0)
    },
    { concurrency: CONCURRENCY }
  )
})
